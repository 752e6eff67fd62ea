// check: valid-arguments
// run: overlapping_copy
// verdict: FALSE

#include <string.h>

int main(void) {
    int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    memcpy(values + 1, values, 7 * sizeof *values);
    return 0;
}
