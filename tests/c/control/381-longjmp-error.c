// run: error
// verdict: FALSE

// The handler is reached with the value of the inner jump.
#include <assert.h>
#include <setjmp.h>

static jmp_buf handler;
static void check(int x) { if (x > 2) longjmp(handler, x); }

int main(void) {
    int code = setjmp(handler);
    if (code) assert(code != 3);
    for (int i = 0; i < 5; i++) check(i);
    return 0;
}
