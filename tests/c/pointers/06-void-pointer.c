// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <string.h>

static void exchange(void *a, void *b, unsigned size) {
    unsigned char *x = a, *y = b;
    while (size-- > 0) {
        unsigned char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}

int main(void) {
    long long a = 0x1122334455667788ll, b = -5;
    exchange(&a, &b, sizeof a);
    assert(a == -5 && b == 0x1122334455667788ll);
    struct { char tag; int *link; } s = {'s', 0}, t = {'t', (int *)&a};
    exchange(&s, &t, sizeof s);
    assert(s.tag == 't' && s.link == (int *)&a && t.tag == 's' && !t.link);
    void *p = &a;
    // GNU: arithmetic on void pointers counts bytes.
    assert((char *)(p + 3) == (char *)&a + 3);
    assert(*(long long *)p == -5);
    return 0;
}
