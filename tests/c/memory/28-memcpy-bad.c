// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// memcpy reads behind its source.
#include <string.h>
#include <stdlib.h>
int main(void) {
    char a[4] = {0}, b[8];
    volatile int n = 5;
    memcpy(b, a, n);
    return 0;
}
