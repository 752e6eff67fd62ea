// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// C11 7.22.6.1p2: the absolute value of the least number is not representable.
#include <stdlib.h>

int main(void) {
    int x = abs(-5) - 5;
    x = x - 2147483647 - 1;
    return abs(x) == 0;
}
