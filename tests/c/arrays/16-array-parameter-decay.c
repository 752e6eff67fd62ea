// run: exit 0
// verdict: TRUE

// C11 6.7.6.3p7: an array parameter is a pointer.
#include <assert.h>

static unsigned size(int a[10]) { return sizeof a; }
static void set(int a[static 2]) { a++, a[0] = 8; }
static int first(const int (*a)[2]) { return (*a)[0]; }

int main(void) {
    int a[10] = {3};
    assert(size(a) == sizeof(int *));
    assert(sizeof a == 40);
    set(a);
    assert(a[1] == 8);
    const int b[2] = {6, 7};
    assert(first(&b) == 6);
    assert(&a[0] == a && (void *)&a == (void *)a);
    assert((char *)(&a + 1) - (char *)a == 40);
    return 0;
}
