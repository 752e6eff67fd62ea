// run: long
// verdict: FALSE

#ifndef AGAIN
#define AGAIN old != new && new < 3
#endif

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static int held;

static void take(void) {
    if (held) reach_error();
    held = 1;
}

static void give(void) {
    if (!held) reach_error();
    held = 0;
}

int main(void) {
    int old, new = 0;
    do {
        take();
        old = new;
        if (__VERIFIER_nondet_bool()) {
            give();
            new++;
        }
    } while (AGAIN);
    give();
    return 0;
}
