// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// CWE-562: the object's scope has ended.
#include <stdlib.h>
int main(void) {
    int *p;
    {
        int x = 1;
        p = &x;
    }
    return *p;
    return 0;
}
