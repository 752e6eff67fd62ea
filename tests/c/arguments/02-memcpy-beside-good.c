// check: valid-arguments
// run: exit 0
// verdict: TRUE

// The halves of an array touch, and do not overlap.
#include <string.h>

int main(void) {
    int values[8] = {1, 2, 3, 4};
    memcpy(values + 4, values, 4 * sizeof *values);
    memcpy(values, values + 4, 4 * sizeof *values);
    memcpy(values + 1, values, 0);
    memmove(values + 1, values, 7 * sizeof *values);
    return values[7] != 3;
}
