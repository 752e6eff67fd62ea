// check: valid-arguments
// run: unfit_format
// verdict: FALSE

// A percent sign that means itself is written twice.
#include <stdio.h>

int main(void) {
    printf("100%");
    return 0;
}
