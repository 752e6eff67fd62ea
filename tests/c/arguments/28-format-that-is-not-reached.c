// check: valid-arguments
// outcomes: 0
// verdict: TRUE

#include <stdio.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned level = __VERIFIER_nondet_uint() % 3;
    if (level == 3) printf("level %s\n", level);
    return 0;
}
