// check: valid-deref
// outcomes: 0 valid-deref

// CWE-121: a histogram has no bins for bytes that are not ASCII.
#ifndef BINS
#define BINS 128
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

static void count(unsigned *bins, const unsigned char *text, int length) {
    const unsigned char *end = text + length;
    while (text != end) bins[*text++]++;
}

int main(void) {
    unsigned bins[BINS] = {0};
    unsigned char text[2];
    text[0] = 'a';
    text[1] = __VERIFIER_nondet_uchar();
    count(bins, text, 2);
    return 0;
}
