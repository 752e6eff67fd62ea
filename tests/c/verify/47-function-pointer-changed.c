// outcomes: 0 error
// verdict: FALSE

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void good(void) {}
static void bad(void) { reach_error(); }

static void (*handler)(void) = good;

static void install(void (**slot)(void)) {
    if (__VERIFIER_nondet_bool()) *slot = bad;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        handler();
        install(&handler);
    }
    return 0;
}
