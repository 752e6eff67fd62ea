// check: valid-arguments
// outcomes: 0 unfit_format
// verdict: FALSE

#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int level = __VERIFIER_nondet_int();
    if (level == 3) printf("level %s\n", level);
    return 0;
}
