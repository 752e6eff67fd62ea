// check: no-overflow
// run: exit 0
// verdict: TRUE

// C11 6.3.1.1p2: bit-fields narrower than int are promoted to int.
struct fields {
    int a : 5;
    unsigned b : 7;
    unsigned c : 31;
};

int main(void) {
    struct fields x = { 15, 127, 0 };
    x.a++;
    x.b++;
    x.c--;
    int sum = x.a - x.b;
    return sum == -16 && x.c == 2147483647 ? 0 : 1;
}
