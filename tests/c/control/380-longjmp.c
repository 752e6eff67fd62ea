// run: exit 0
// verdict: TRUE

// Jumps out of functions into one that has not returned.
#include <assert.h>
#include <setjmp.h>

static jmp_buf top, inner;
static int steps;

static int deep(int n, int code) {
    if (n == 0) longjmp(top, code);
    steps++;
    int r = deep(n - 1, code);
    steps = 100;
    return r;
}

static void fail(int code) __attribute__((noreturn));
static void fail(int code) { longjmp(inner, code); }

// Each activation has its own buffer.
static int nested(int n) {
    jmp_buf own;
    volatile int passes = 0;
    int r = setjmp(own);
    if (r == 0) {
        if (n > 0) passes += nested(n - 1);
        passes++;
        longjmp(own, n + 1);
    }
    assert(r == n + 1);
    return passes;
}

static void (*through_pointer)(int) = fail;

int main(void) {
    switch (setjmp(top)) {
    case 0: deep(2, 7); assert(0);
    case 7: assert(steps == 2); break;
    default: assert(0);
    }
    // 0 becomes 1.
    if (!setjmp(top)) deep(0, 0);
    else steps = 50;
    assert(steps == 50);

    // A loop that tries again.
    volatile int tries = 0;
    int code = setjmp(inner);
    tries++;
    if (code < 3) through_pointer(code + 1);
    assert(tries == 4 && code == 3);

    assert(nested(2) == 3);
    if (!_setjmp(inner)) longjmp(inner, 5);
    return 0;
}
