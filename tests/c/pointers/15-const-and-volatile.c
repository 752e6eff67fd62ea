// run: exit 0
// verdict: TRUE

#include <assert.h>

static const int table[] = {2, 3, 5, 7};
static volatile int device;

static int last(const int *p, int n) { return *(p + n - 1); }

int main(void) {
    const int *walk = table;
    int *const fixed = &(int){4};
    *fixed += 1;
    assert(*fixed == 5);
    walk++;
    assert(*walk == 3 && last(table, 4) == 7);
    device = 1;
    device += 2;
    volatile int *p = &device;
    assert(*p == 3 && device++ == 3 && *p == 4);
    const char *const names[] = {"a", "bc"};
    assert(names[1][1] == 'c');
    int plain = 6;
    const int *view = &plain;
    *(int *)view = 7;
    assert(plain == 7);
    return 0;
}
