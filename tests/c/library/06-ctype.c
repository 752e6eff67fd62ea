// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <ctype.h>

int main(void) {
    assert(isdigit('0') && isdigit('9') && !isdigit('a') && !isdigit('/'));
    assert(isalpha('a') && isalpha('Z') && !isalpha('1') && !isalpha('@'));
    assert(isspace(' ') && isspace('\n') && isspace('\t') && !isspace('x'));
    assert(isupper('Q') && !isupper('q') && islower('q'));
    assert(isalnum('7') && isalnum('g') && !isalnum('_'));
    assert(isxdigit('f') && isxdigit('B') && !isxdigit('g'));
    assert(ispunct('!') && !ispunct('a') && isprint(' ') && !isprint(7) && iscntrl(7));
    assert(toupper('a') == 'A' && toupper('1') == '1' && tolower('Q') == 'q');
    assert(!isalpha(-1) && tolower(-1) == -1);
    return 0;
}
