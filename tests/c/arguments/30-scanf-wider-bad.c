// check: valid-arguments
// run: unfit_format
// verdict: FALSE

// Four bytes are written into a short.
#include <stdio.h>

int main(void) {
    short port = 0;
    return sscanf("8080", "%d", &port) + port;
}
