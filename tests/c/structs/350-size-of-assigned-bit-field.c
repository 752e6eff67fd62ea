// run: exit 0
// verdict: TRUE

// gcc gives a bit-field a type of its width; sizeof shows it where no promotion takes it away.
struct s {
    signed char c : 3;
    int i : 5;
    unsigned u : 9;
    unsigned long long l : 40;
};

int main(void) {
    struct s s = {0};
    if (sizeof(s.c += 1) != 1 || sizeof(s.i = 1) != 1 || sizeof(s.u++) != 2) return 1;
    if (sizeof(s.l = 1) != 8 || sizeof(+s.u) != sizeof(int) || sizeof(0, s.i) != 1) return 2;
    return s.c + s.i + s.u + (int)s.l;
}
