// run: exit 0
// verdict: TRUE

// wchar_t is a 32-bit signed int with gcc on Linux.
#include <assert.h>
#include <stddef.h>

static int length(const wchar_t *s) {
    int n = 0;
    while (*s++) n++;
    return n;
}

int main(void) {
    wchar_t w[] = L"w\u20ac!";
    assert(sizeof w == 16 && w[0] == 'w' && w[1] == 0x20ac && w[3] == 0);
    assert(length(w) == 3 && length(L"") == 0);
    assert(L'a' == 'a' && sizeof L'a' == 4 && L'\xffffffff' == -1);
    unsigned short u[] = u"ab";
    assert(sizeof u == 6 && u[1] == 'b');
    unsigned v[] = U"\U0001F600";
    assert(sizeof v == 8 && v[0] == 0x1f600);
    assert((L"x" L"yz")[2] == 'z');
    return 0;
}
