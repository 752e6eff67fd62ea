// run: exit 0
// verdict: TRUE

// abs and puts-like functions declared by hand; an implicit declaration of a known function.
extern int abs(int);
extern void exit(int) __attribute__((noreturn));

int main(void) {
    if (abs(-3) != 3) return 1;
    if (strlen("four") != 4) return 2;
    exit(0);
}
