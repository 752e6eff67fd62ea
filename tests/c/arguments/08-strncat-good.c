// check: valid-arguments
// run: exit 0
// verdict: TRUE

#include <string.h>

int main(void) {
    char text[16] = "ab";
    strcpy(text + 8, "xyz");
    strncat(text, text + 8, 2);
    strncpy(text + 12, text, 4);
    return strcmp(text, "abxy") != 0 || text[15] != 'y';
}
