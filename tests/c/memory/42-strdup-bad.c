// check: valid-deref,valid-free,valid-memtrack
// run: valid-memtrack

// What strdup gives is the program's.
#include <string.h>
#include <stdlib.h>
int main(void) {
    char *p = strdup("a");
    return p[1];
    return 0;
}
