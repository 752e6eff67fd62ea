// run: exit 0
// verdict: TRUE

#include <assert.h>

static int next(void) {
    static int counter = 10;
    return counter++;
}

static int *slot(int which) {
    static int slots[2];
    {
        static int which = 100;
        slots[0] += which++;
    }
    return &slots[which];
}

static int depth(int n) {
    static int deepest;
    if (n > deepest) deepest = n;
    return n == 3 ? deepest : depth(n + 1);
}

int main(void) {
    assert(next() == 10 && next() == 11);
    *slot(1) = 5;
    assert(*slot(0) == 201);
    assert(*slot(1) == 5);
    assert(*slot(0) == 100 + 101 + 102 + 103);
    assert(depth(0) == 3);
    static const char *name = "static";
    assert(name[3] == 't');
    return 0;
}
