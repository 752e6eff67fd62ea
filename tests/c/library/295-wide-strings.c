// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
    wchar_t text[16] = L"one two", *next, narrowed[4];
    assert(wcslen(L"abc") == 3 && wcscmp(L"ab", L"b") < 0 && wcsstr(text, L"two") == text + 4);
    assert(wcstok(text, L" ", &next) == text && wcscmp(wcstok(0, L" ", &next), L"two") == 0);
    assert(wcstol(L"-12x", &next, 10) == -12 && *next == L'x');
    assert(mbstowcs(narrowed, "xyz", 4) == 3 && narrowed[2] == L'z');
    assert(iswalpha(L'a') && !iswalpha(0xe4) && towupper(L'q') == L'Q' && btowc('a') == L'a');
    assert(mbtowc(narrowed, "\xe4", 1) == -1);
    return 0;
}
