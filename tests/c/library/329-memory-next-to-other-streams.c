// run: unsupported
// verdict: TRUE

// Functions of streams that have no model for those over memory are not taken for ones that may do anything.
#include <assert.h>
#include <stdio.h>

int main(void) {
    char buffer[8];
    FILE *file = fmemopen(buffer, sizeof buffer, "w");
    assert(fprintf(file, "%d", 5) == 1);
    return 0;
}
