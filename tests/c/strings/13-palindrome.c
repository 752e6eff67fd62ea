// run: error
// verdict: FALSE

// The comparison starts one character too far right, at the terminator.
#include <assert.h>
#include <string.h>

static int palindrome(const char *s) {
    int i = 0, j = (int)strlen(s);
    while (i < j)
        if (s[i++] != s[j--]) return 0;
    return 1;
}

int main(void) {
    assert(palindrome(""));
    assert(!palindrome("ab"));
    assert(palindrome("level"));
    return 0;
}
