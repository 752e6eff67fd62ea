// options: --data-model LP64
// check: valid-arguments
// run: unfit_format
// verdict: FALSE

// An int where a long is read.
#include <stdio.h>

int main(void) {
    int count = 7;
    printf("%ld\n", count);
    return 0;
}
