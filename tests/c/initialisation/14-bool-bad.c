// check: valid-init
// outcomes: uninitialised_read
// verdict: FALSE

#include <stdbool.h>

int main(void) {
    bool done;
    while (!done) done = true;
    return 0;
}
