// run: error
// verdict: FALSE

// A stream that is only read from refuses what is written.
#include <assert.h>
#include <stdio.h>

int main(void) {
    char buffer[8];
    FILE *file = fmemopen(buffer, sizeof buffer, "r");
    assert(fputs("hello", file) >= 0);
    return 0;
}
