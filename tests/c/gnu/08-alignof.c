// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdalign.h>

struct s { char c; short h; };

int main(void) {
    int x = 1;
    assert(__alignof__(x) == 4 && __alignof__(int) == 4 && _Alignof(char) == 1);
    assert(alignof(struct s) == 2 && __alignof__(short[5]) == 2);
    assert(__alignof__(double) == 8);
    alignas(16) short aligned = 0;
    assert(__alignof__(aligned) == 16 && (unsigned long)&aligned % 16 == 0);
    struct { alignas(8) char c; } m;
    assert(sizeof m == 8 && __alignof__(m.c) == 8);
    return x - 1;
}
