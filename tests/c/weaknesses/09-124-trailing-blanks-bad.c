// check: valid-deref
// outcomes: 0 valid-deref

// CWE-124: blanks at the end of a line are cut off, and of a line of blanks what is before it.
#ifndef MORE
#define MORE 1
#endif

extern char __VERIFIER_nondet_char(void);

static void cut(char *line, int length) {
    char *last = line + length - 1;
    while (MORE && *last == ' ') {
        *last = 0;
        last--;
    }
}

int main(void) {
    char line[4];
    for (int i = 0; i < 3; i++) line[i] = __VERIFIER_nondet_char();
    line[3] = 0;
    cut(line, 3);
    return 0;
}
