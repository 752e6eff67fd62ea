// run: exit 0
// verdict: TRUE

// Error values packed into pointers, never dereferenced.
#include <assert.h>
#include <stdint.h>

static void *error_pointer(long code) { return (void *)code; }
static int is_error(const void *p) { return (uintptr_t)p >= (uintptr_t)-4095; }
static int error_code(const void *p) { return (int)(intptr_t)p; }

int main(void) {
    int x = 5;
    void *bad = error_pointer(-12), *good = &x;
    assert(is_error(bad) && error_code(bad) == -12);
    assert(!is_error(good) && *(int *)good == 5);
    assert(!is_error(0));
    assert(bad != good && bad != 0);
    assert(bad == (void *)-12L);
    return 0;
}
