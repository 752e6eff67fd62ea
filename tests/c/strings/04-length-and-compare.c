// run: exit 0
// verdict: TRUE

// The library compares as unsigned char (C11 7.24.4).
#include <assert.h>
#include <string.h>

int main(void) {
    assert(strlen("") == 0 && strlen("abc") == 3 && strlen("ab\0cd") == 2);
    assert(strcmp("abc", "abc") == 0);
    assert(strcmp("abc", "abd") < 0 && strcmp("b", "abc") > 0);
    assert(strcmp("ab", "abc") < 0 && strcmp("", "") == 0);
    assert(strcmp("\xff", "a") > 0);
    assert(strncmp("abcX", "abcY", 3) == 0 && strncmp("abcX", "abcY", 4) < 0);
    assert(strncmp("a", "b", 0) == 0 && strncmp("ab", "ab", 10) == 0);
    assert(strnlen("abcdef", 4) == 4 && strnlen("ab", 4) == 2);
    return 0;
}
