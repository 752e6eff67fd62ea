// run: invalid-memory

// Room for the five letters but not for the terminator.
#include <string.h>

int main(void) {
    char small[5];
    const char *volatile text = "hello";
    strcpy(small, text);
    return 0;
}
