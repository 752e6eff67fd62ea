// run: exit 0
// verdict: TRUE

#include <assert.h>

static inline int square(int x) { return x * x; }
static __inline__ __attribute__((always_inline)) int cube(int x) { return x * square(x); }
extern inline __attribute__((gnu_inline)) int quad(int x);
extern inline __attribute__((gnu_inline)) int quad(int x) { return square(square(x)); }
_Noreturn static void stop(void);
static void __attribute__((noinline, used)) touch(int *p) { ++*p; }

static void stop(void) {
    for (;;) continue;
}

int quad(int x) { return square(square(x)); }

int main(void) {
    int x = 2;
    assert(square(x + 1) == 9);
    assert(cube(3) == 27);
    assert(quad(2) == 16);
    touch(&x);
    if (x != 3) stop();
    return 0;
}
