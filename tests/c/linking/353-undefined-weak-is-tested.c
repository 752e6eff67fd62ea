// verdict: TRUE
// outcomes: 0

// Whether it is there does not change.
extern void reach_error(void);
extern void maybe(int *) __attribute__((weak));
static void local(int *p) __attribute__((weakref("elsewhere")));
extern int variable __attribute__((weak));

int main(void) {
    int x = 0;
    if (maybe) maybe(&x);
    if (local && !local) reach_error();
    if (&variable) variable = 3;
    if (&variable && variable != 3) reach_error();
    return 0;
}
