// check: valid-arguments
// run: unfit_format
// verdict: FALSE

#include <stdio.h>

int main(void) {
    printf("%d of %d\n", 1);
    return 0;
}
