// run: error
// verdict: FALSE

// The older name of the error call.
extern void __VERIFIER_error(void) __attribute__((__noreturn__));

int main(void) {
    int n = 0;
    while (n < 3) n++;
    if (n == 3) __VERIFIER_error();
    return 0;
}
