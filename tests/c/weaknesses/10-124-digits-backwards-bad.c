// check: valid-deref
// outcomes: 0 valid-deref

// CWE-124: the digits of a number are written from the last to the first, of which there may be one too many.
#ifndef DIGITS
#define DIGITS 4
#endif

extern unsigned short __VERIFIER_nondet_ushort(void);

static char *decimal(unsigned number, char *end) {
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return end;
}

int main(void) {
    char text[DIGITS + 1];
    text[DIGITS] = 0;
    char *first = decimal(__VERIFIER_nondet_ushort(), &text[DIGITS]);
    return *first < '0' || *first > '9';
}
