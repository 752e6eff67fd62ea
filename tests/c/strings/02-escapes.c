// run: exit 0
// verdict: TRUE

#include <assert.h>

int main(void) {
    const char s[] = "\a\b\f\n\r\t\v\\\'\"\?\0";
    assert(sizeof s == 13);
    assert(s[0] == 7 && s[1] == 8 && s[2] == 12 && s[3] == 10 && s[4] == 13);
    assert(s[5] == 9 && s[6] == 11 && s[7] == 92 && s[8] == 39 && s[9] == 34);
    assert(s[10] == 63 && s[11] == 0 && s[12] == 0);
    // An octal escape takes three digits, a hexadecimal one as many as there are.
    const char octal[] = "\1234\08";
    assert(sizeof octal == 5 && octal[0] == 'S' && octal[1] == '4' && octal[2] == 0);
    assert(octal[3] == '8');
    const char hex[] = "\x41" "42\x7e";
    assert(sizeof hex == 5 && hex[0] == 'A' && hex[1] == '4' && hex[3] == '~');
    const char utf8[] = u8"\u00e9";
    assert(sizeof utf8 == 3 && (unsigned char)utf8[0] == 0xc3 && (unsigned char)utf8[1] == 0xa9);
    return 0;
}
