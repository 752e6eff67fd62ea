// run: exit 0
// verdict: TRUE

// C11 6.5.5p6: quotients truncate towards zero, and (a/b)*b + a%b == a.
extern void reach_error(void);

static void check(int a, int b, int quotient, int remainder) {
    if (a / b != quotient) reach_error();
    if (a % b != remainder) reach_error();
    if (a / b * b + a % b != a) reach_error();
}

int main(void) {
    check(7, 2, 3, 1);
    check(-7, 2, -3, -1);
    check(7, -2, -3, 1);
    check(-7, -2, 3, -1);
    check(1, 2147483647, 0, 1);
    check(-2147483647 - 1, 2147483647, -1, -1);
    if ((unsigned)-7 / 2 != 2147483644u) reach_error();
    if (-7 / 2u != 2147483644u) reach_error();
    if (-7LL / 2u != -3) reach_error();
    signed char c = -128, d = -1;
    if (c / d != 128) reach_error();
    return 0;
}
