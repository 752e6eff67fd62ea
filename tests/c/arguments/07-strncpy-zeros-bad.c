// check: valid-arguments
// outcomes: overlapping_copy
// verdict: FALSE

// The string is short, but zeros are written over it. Sanitizers look at what is read alone.
#include <string.h>

int main(void) {
    char text[16] = "abcd";
    text[12] = 'x';
    strncpy(text, text + 12, 14);
    return 0;
}
