// run: exit 0
// verdict: TRUE

// Formats of plain conversions, with values at the ends of their types, and texts that are cut off.

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[48];
    assert(snprintf(text, sizeof text, "<%d|%u|%c>", INT_MIN, UINT_MAX, 'x') == 26);
    assert(strcmp(text, "<-2147483648|4294967295|x>") == 0);
    assert(sprintf(text, "%lld %llu %zu", LLONG_MIN, ULLONG_MAX, sizeof(char)) == 43);
    assert(strcmp(text, "-9223372036854775808 18446744073709551615 1") == 0);
    assert(snprintf(text, 6, "%s=%x%%", "key", 0xbeefu) == 9 && strcmp(text, "key=b") == 0);
    assert(snprintf(0, 0, "%i", 100) == 3 && snprintf(text, 1, "%X", 255u) == 2 && text[0] == 0);
    assert(sprintf(text, "\xff%d", 0) == 2 && text[1] == '0');
    return 0;
}
