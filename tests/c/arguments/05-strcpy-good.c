// check: valid-arguments
// run: exit 0
// verdict: TRUE

#include <string.h>

int main(void) {
    char text[16] = "abc";
    strcpy(text + 4, text);
    strcpy(text, text + 6);
    return strcmp(text, "c") != 0 || strcmp(text + 4, "abc") != 0;
}
