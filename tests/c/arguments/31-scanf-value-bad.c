// check: valid-arguments
// run: unfit_format
// verdict: FALSE

#include <stdio.h>

int main(void) {
    int number = 0;
    return sscanf("1", "%d", number);
}
