// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-476: an access through a null pointer.
#include <stdlib.h>
int main(void) {
    int *volatile p = 0;
    *p = 1;
    return 0;
}
