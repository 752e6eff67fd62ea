// run: exit 0
// verdict: TRUE

// A pointer that goes through uintptr_t comes back to its object (C11 7.20.1.4).
#include <assert.h>
#include <stdint.h>

int main(void) {
    int a[4] = {1, 2, 3, 4};
    uintptr_t address = (uintptr_t)a;
    assert(address != 0);
    assert(address % sizeof(int) == 0);
    int *p = (int *)address;
    assert(p == a && *p == 1);
    p = (int *)(address + 2 * sizeof(int));
    assert(p == a + 2 && *p == 3);
    *p = 30;
    assert(a[2] == 30);
    assert((uintptr_t)(a + 3) - address == 3 * sizeof(int));
    assert((uintptr_t)(int *)0 == 0);
    return 0;
}
