// check: valid-arguments
// run: overlapping_copy
// verdict: FALSE

// The usual way to drop a first character; the strings overlap.
#include <string.h>

int main(void) {
    char text[] = "-verbose";
    strcpy(text, text + 1);
    return 0;
}
