// outcomes: 0 error
// verdict: FALSE

// Nobody knows that the variable is not set.

#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(getenv("VERBOSE") == 0);
    return 0;
}
