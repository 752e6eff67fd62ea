// run: exit 0
// verdict: TRUE

// LLVM's atomic maxima and minima, of signed and of unsigned numbers. gcc has none.
#include <assert.h>

int x = -1;
unsigned u = 5;

int main(void) {
    assert(__sync_fetch_and_umax(&x, 42) == 0xffffffffu && x == -1);
    assert(__sync_fetch_and_max(&x, 42) == -1 && x == 42);
    assert(__sync_fetch_and_min(&x, -3) == 42 && x == -3);
    assert(__sync_fetch_and_max(&x, -4) == -3 && x == -3);
    assert(__sync_fetch_and_umin(&x, 9) == 0xfffffffdu && x == 9);
    assert(__sync_fetch_and_umax(&u, 7) == 5 && u == 7);
    return 0;
}
