// outcomes: 0
// verdict: TRUE

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static unsigned char seen[256];

int main(void) {
    char c = __VERIFIER_nondet_char();
    seen[(unsigned char)c] = 1;
    if (seen[c & 255] != 1) reach_error();
    if (c == 3 && seen[4] != 0) reach_error();
    return 0;
}
