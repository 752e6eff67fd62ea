// check: no-overflow
// outcomes: 0 signed_overflow

// CWE-190: a number in a text has more digits than the type that it is read into.
#ifndef LARGEST
#define LARGEST 2147483647
#endif

extern char __VERIFIER_nondet_char(void);

static int read_number(char (*next)(void)) {
    int number = 0;
    for (int digits = 0; digits < 10; digits++) {
        char c = next();
        if (c < '0' || c > '9') break;
        if (number > LARGEST) return -1;
        number = 10 * number + (c - '0');
    }
    return number;
}

int main(void) {
    return read_number(__VERIFIER_nondet_char) < -1;
}
