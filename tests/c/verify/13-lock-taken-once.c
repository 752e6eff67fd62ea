// run: long
// verdict: TRUE

// The lock is taken again only after it was given back.
#ifndef AGAIN
#define AGAIN old != new
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
