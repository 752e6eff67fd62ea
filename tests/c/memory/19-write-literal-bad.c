// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// A write to a string literal.
#include <stdlib.h>
int main(void) {
    char *p = "text";
    *p = 'T';
    return 0;
}
