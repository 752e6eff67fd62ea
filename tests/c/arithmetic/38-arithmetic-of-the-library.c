// check: no-overflow valid-arithmetic
// run: exit 0
// verdict: TRUE

// The arithmetic inside of library functions is not the program's.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[] = "99999999999999999999";
    long value = strtol(text, 0, 10);
    return value > 0 && strlen(text) == 20 && abs(-7) == 7 && atoi("12") == 12 ? 0 : 1;
}
