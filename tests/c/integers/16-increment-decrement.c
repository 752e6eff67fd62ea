// run: exit 0
// verdict: TRUE

#include <assert.h>

int main(void) {
    signed char c = 127;
    assert(c++ == 127 && c == -128);
    assert(--c == 127);
    unsigned short s = 0;
    assert(s-- == 0 && s == 65535);
    long long l = -1;
    assert(l++ == -1 && l == 0);
    unsigned u = 4294967295u;
    assert(++u == 0);
    float f = 0.5f;
    assert(f++ == 0.5f && f == 1.5f);
    double d = 0.25;
    assert(--d == -0.75);
    int array[4] = {10, 11, 12, 13};
    int *p = array;
    assert(*p++ == 10 && *p == 11);
    assert(*++p == 12);
    assert((*p)++ == 12 && array[2] == 13);
    assert(++*p == 14);
    assert(*p-- == 14 && p == array + 1);
    int i = 0;
    array[i++] = 7;
    assert(i == 1 && array[0] == 7);
    assert(sizeof(i++) == 4 && i == 1);
    return 0;
}
