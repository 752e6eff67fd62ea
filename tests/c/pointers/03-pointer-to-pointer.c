// run: exit 0
// verdict: TRUE

#include <assert.h>

static void redirect(int **slot, int *target) { *slot = target; }

static void swap(int **a, int **b) {
    int *t = *a;
    *a = *b;
    *b = t;
}

int main(void) {
    int x = 1, y = 2;
    int *p = &x, *q = &y;
    int **pp = &p, ***ppp = &pp;
    ***ppp = 10;
    assert(x == 10);
    redirect(*ppp, &y);
    assert(p == &y && **pp == 2);
    p = &x;
    swap(&p, &q);
    assert(*p == 2 && *q == 10);
    *pp = q;
    **pp += 5;
    assert(x == 15 && p == &x);
    int *array[3] = {&x, &y, &x};
    pp = array;
    *pp[1] = 7;
    assert(y == 7);
    **++pp = 8;
    assert(y == 8);
    assert(*pp++ == &y && *pp == &x);
    return 0;
}
