// check: valid-arguments
// run: overlapping_copy
// verdict: FALSE

// The zero that ends the string is overwritten before it is read.
#include <string.h>

int main(void) {
    char text[32] = "abc";
    strcat(text, text);
    return 0;
}
