// run: exit 0
// verdict: TRUE

// Arguments and return values convert as if by assignment (C11 6.5.2.2p7, 6.8.6.4p3).
#include <assert.h>

static unsigned char low(int x) { return x; }
static int truncate(double d) { return d; }
static double widen(float f) { return f; }
static _Bool truth(_Bool b) { return b; }
static long long extend(unsigned u) { return u; }
static void nothing(void) { return; }
static void forward(void) { return nothing(); }

int main(void) {
    assert(low(0x1ff) == 255);
    assert(low(-1) == 255);
    assert(truncate(-2.9) == -2 && truncate(7) == 7);
    assert(widen(0.1) == (double)0.1f);
    assert(truth(0.25) == 1 && truth(1 << 20) == 1 && truth(0) == 0);
    assert(extend(-1) == 4294967295ll);
    forward();
    return 0;
}
