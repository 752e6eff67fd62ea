// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// strcpy fills its destination.
#include <string.h>
#include <stdlib.h>
int main(void) {
    char a[4];
    strcpy(a, "abc");
    return 0;
}
