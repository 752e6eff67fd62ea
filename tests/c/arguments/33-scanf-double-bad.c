// check: valid-arguments
// outcomes: unfit_format
// verdict: FALSE

// printf's %f takes a double, scanf's a pointer to float.
#include <stdio.h>

int main(void) {
    double value = 0;
    return scanf("%f", &value);
}
