// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stddef.h>

int main(void) {
    int a[6] = {0, 10, 20, 30, 40, 50};
    int *p = a, *end = a + 6;
    assert(*(p + 2) == 20 && p[3] == 30 && 4 [p] == 40);
    assert(end - p == 6);
    assert(p - end == -6);
    p += 5;
    assert(*p == 50 && p[-1] == 40 && *(p - 2) == 30);
    p -= 3;
    assert(p == &a[2]);
    assert((char *)p - (char *)a == 2 * (ptrdiff_t)sizeof(int));
    int sum = 0;
    for (p = a; p != end; p++) sum += *p;
    assert(sum == 150);
    while (p-- > a) sum -= *p;
    assert(sum == 0);
    unsigned char one = 1;
    p = a + 3;
    assert(*(p + one) == 40 && *(p - one) == 20 && *(p + -one) == 20);
    assert(&*p == p && &p[0] == p);
    return 0;
}
