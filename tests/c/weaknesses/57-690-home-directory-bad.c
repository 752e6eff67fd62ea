// check: valid-deref
// outcomes: 0 1 valid-deref

// CWE-690: nobody says that there is a variable for the home directory.
#include <stdlib.h>

#ifndef HOME
#define HOME(home) home
#endif

static int is_absolute(const char *path) { return path[0] == '/'; }

int main(void) {
    const char *home = getenv("HOME");
    return is_absolute(HOME(home)) ? 0 : 1;
}
