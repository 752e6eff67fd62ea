/* Inputs, in the order in which each thread takes them. */

static RAVELIN_THREAD int ravelin_me;

static unsigned long long ravelin_input(const char *function) {
    static char taken[sizeof ravelin_inputs / sizeof *ravelin_inputs];
    for (unsigned i = 0; ravelin_inputs[i].function; i++)
        if (!taken[i] && ravelin_inputs[i].thread == ravelin_me &&
            !strcmp(ravelin_inputs[i].function, function)) {
            taken[i] = 1;
            return ravelin_inputs[i].bits;
        }
    return 0;
}

static double ravelin_double(const char *function) {
    double value;
    unsigned long long bits = ravelin_input(function);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float ravelin_float(const char *function) {
    float value;
    unsigned bits = (unsigned)ravelin_input(function);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Ends the run where it is not that of the counterexample any more. */
static void ravelin_astray(const char *why) {
    fprintf(stderr, "ravelin: not reproduced: %s\n", why);
    _exit(RAVELIN_NOT_REPRODUCED);
}

static void ravelin_error(void) {
    fprintf(stderr, "ravelin: the error is reached\n");
    abort();
}

#define RAVELIN_WEAK __attribute__((weak))

RAVELIN_WEAK void reach_error(void) { ravelin_error(); }
RAVELIN_WEAK void __VERIFIER_error(void) { ravelin_error(); }
RAVELIN_WEAK void __VERIFIER_assume(int holds) {
    if (!holds)
        ravelin_astray("an assumption does not hold");
}
RAVELIN_WEAK void __VERIFIER_atomic_begin(void) {}
RAVELIN_WEAK void __VERIFIER_atomic_end(void) {}
