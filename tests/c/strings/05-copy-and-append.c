// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <string.h>

int main(void) {
    char b[12];
    assert(strcpy(b, "abc") == b && b[3] == 0);
    assert(strcat(b, "def") == b && strcmp(b, "abcdef") == 0);
    strncat(b, "ghijkl", 2);
    assert(strcmp(b, "abcdefgh") == 0);
    memset(b, 'z', sizeof b);
    // strncpy pads with zeros, and does not terminate a source that is too long.
    strncpy(b, "hi", 5);
    assert(b[1] == 'i' && b[2] == 0 && b[4] == 0 && b[5] == 'z');
    strncpy(b, "longer", 3);
    assert(b[2] == 'n' && b[3] == 0 && b[5] == 'z');
    char *copy = strdup("dup");
    copy[0] = 'D';
    assert(strcmp(copy, "Dup") == 0);
    __builtin_free(copy);
    return 0;
}
