// options: --data-model LP64
// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stddef.h>

struct a { char c; long long l; };
struct b { char c; double d; };
struct c { char c; long double d; };
struct d { char c; void *p; long l; };
struct e { char c; __int128 i; };

int main(void) {
    assert(sizeof(struct a) == 16 && offsetof(struct a, l) == 8);
    assert(sizeof(struct b) == 16 && offsetof(struct b, d) == 8);
    assert(sizeof(long double) == 16 && sizeof(struct c) == 32 && offsetof(struct c, d) == 16);
    assert(sizeof(struct d) == 24 && offsetof(struct d, l) == 16);
    assert(sizeof(struct e) == 32);
    return 0;
}
