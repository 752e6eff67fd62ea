// check: no-overflow
// run: exit 134
// verdict: TRUE

// A failed assertion ends the program before the overflow; it violates another property.
#include <assert.h>

int main(void) {
    int max = 2147483647;
    assert(max == 0);
    return max + 1;
}
