// check: valid-arguments
// run: overlapping_copy
// verdict: FALSE

#include <string.h>

int main(void) {
    char text[16] = "abc";
    strncat(text, text + 1, 3);
    return 0;
}
