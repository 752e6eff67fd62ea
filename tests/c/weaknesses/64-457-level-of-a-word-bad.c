// check: valid-init
// outcomes: 0 1 2 uninitialised_read
// verdict: FALSE

// CWE-457: a letter that is not known leaves the level without value.
extern unsigned char __VERIFIER_nondet_uchar(void);

static int level_of(char letter) {
    int level;
    switch (letter) {
    case 'e': level = 0; break;
    case 'w': level = 1; break;
    case 'i': level = 2; break;
    }
    return level;
}

int main(void) { return level_of(__VERIFIER_nondet_uchar()); }
