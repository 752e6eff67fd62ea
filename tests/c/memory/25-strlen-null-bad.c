// check: valid-deref,valid-free,valid-memtrack
// run: valid-deref

// The access is in strlen; the position is that of the call.
#include <string.h>
#include <stdlib.h>
int main(void) {
    char *volatile p = 0;
    return (int)strlen(p);
    return 0;
}
