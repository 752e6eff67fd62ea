// verdict: FALSE
// outcomes: 0 1 error

// Somebody else may define it or not: the address is null, or not.
extern void reach_error(void);
extern int maybe(void) __attribute__((weak));
extern int variable __attribute__((weak));

int main(void) {
    if (maybe && !maybe) reach_error();
    if (&variable && variable == 7) return 1;
    if (!maybe) reach_error();
    return 0;
}
