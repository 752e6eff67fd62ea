// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// strcpy writes behind its destination.
#include <string.h>
#include <stdlib.h>
int main(void) {
    char a[3];
    strcpy(a, "abc");
    return 0;
}
