// check: valid-deref
// outcomes: 0 valid-deref

// CWE-457: a key that no case handles leaves an index without value.
#ifndef OTHERWISE
#define OTHERWISE break
#endif

extern char __VERIFIER_nondet_char(void);

static int rate_of(char key) {
    static const int rates[3] = {5, 8, 13};
    int index;
    switch (key) {
    case 'l': index = 0; break;
    case 'm': index = 1; break;
    case 'h': index = 2; break;
    default: OTHERWISE;
    }
    return rates[index];
}

int main(void) {
    int rate = rate_of(__VERIFIER_nondet_char());
    return rate < 5 || rate > 13;
}
