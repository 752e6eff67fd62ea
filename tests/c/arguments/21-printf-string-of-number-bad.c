// check: valid-arguments
// run: unfit_format
// verdict: FALSE

#include <stdio.h>

int main(void) {
    int code = 7;
    fprintf(stderr, "error %s\n", code);
    return 0;
}
