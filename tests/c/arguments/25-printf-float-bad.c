// check: valid-arguments
// run: unfit_format
// verdict: FALSE

#include <stdio.h>

int main(void) {
    char line[40];
    snprintf(line, sizeof line, "%d percent", 12.5);
    return 0;
}
