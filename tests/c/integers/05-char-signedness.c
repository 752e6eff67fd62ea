// run: exit 0
// verdict: TRUE

// Plain char is signed with gcc on x86 (C11 6.2.5p15 leaves it to the implementation).
#include <assert.h>

int main(void) {
    char c = (char)200;
    signed char sc = (signed char)200;
    unsigned char uc = 200;
    assert(c == -56 && sc == -56 && uc == 200);
    assert(c < 0);
    assert('\xff' == -1);
    assert("\xff"[0] == -1);
    assert((c & 0xff) == 200);
    assert((int)(unsigned char)c == 200);
    assert((unsigned)c == 4294967240u);
    assert(sizeof 'a' == sizeof(int));
    return 0;
}
