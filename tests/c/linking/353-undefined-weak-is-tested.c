// verdict: TRUE
// outcomes: 0

// Whether it is there does not change, in tables neither.
extern void reach_error(void);
extern void maybe(int *) __attribute__((weak));
static void local(int *p) __attribute__((weakref("elsewhere")));
extern int variable __attribute__((weak));

static void (*const table[])(int *) = {maybe, local};

int main(void) {
    int x = 0;
    if (table[0] != maybe || table[1] != local) reach_error();
    if (maybe) table[0](&x);
    else if (table[0]) reach_error();
    if (&variable) variable = 3;
    if (&variable && variable != 3) reach_error();
    return 0;
}
