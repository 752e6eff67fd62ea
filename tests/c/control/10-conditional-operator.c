// run: exit 0
// verdict: TRUE

// Exactly one arm is evaluated; the operator is right associative.
#include <assert.h>

struct pair { int a, b; };
static int left, right;

static int sign(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

int main(void) {
    int c = 1;
    int v = c ? left++, 10 : right++;
    assert(v == 10 && left == 1 && right == 0);
    c ? (void)left++ : (void)right++;
    assert(left == 2 && right == 0);
    *(c ? &left : &right) = 50;
    assert(left == 50 && right == 0);
    assert(sign(-9) == -1 && sign(0) == 0 && sign(3) == 1);
    struct pair one = {1, 2}, two = {3, 4};
    assert((c ? one : two).b == 2);
    assert((!c ? one : two).a == 3);
    int array[2] = {5, 6};
    int *p = c ? array : 0;
    assert(p[1] == 6);
    void *q = c ? (void *)0 : &c;
    assert(q == 0);
    return 0;
}
