// run: error
// verdict: FALSE

// The call is the error, whatever the body does.
extern void exit(int);
void reach_error(void) { exit(222); }
static void __VERIFIER_assert(int condition) {
    if (!condition) {
    ERROR: { reach_error(); }
    }
}

int main(void) {
    __VERIFIER_assert(1 < 2);
    __VERIFIER_assert(2 < 1);
    return 0;
}
