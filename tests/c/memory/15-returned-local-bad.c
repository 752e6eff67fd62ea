// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-562: the address of a local that a function returns.
#include <stdlib.h>
static int *volatile kept;
static void set(void) {
    int x = 1;
    kept = &x;
}
int main(void) {
    set();
    return *kept;
    return 0;
}
