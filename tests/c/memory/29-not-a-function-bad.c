// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// A call through a null pointer.
#include <stdlib.h>
int main(void) {
    void (*volatile f)(void) = 0;
    f();
    return 0;
}
