// run: exit 0
// verdict: TRUE

// C11 6.5.15p5: both arms are converted to their common type, whichever is taken.
#include <assert.h>

int main(void) {
    int yes = 1;
    assert((yes ? -1 : 0u) > 0);
    assert(sizeof(yes ? 1 : 1ll) == 8);
    assert((yes ? -1 : 0ll) < 0);
    char c = 1;
    short s = 2;
    assert(sizeof(yes ? c : s) == 4);
    assert((yes ? 1 : 2.0) / 2 == 0.5);
    assert(sizeof(yes ? (char)1 : (char)2) == 4);
    unsigned char u = 255;
    assert((yes ? u : (signed char)-1) == 255);
    return 0;
}
