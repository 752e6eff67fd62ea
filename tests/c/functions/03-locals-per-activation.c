// run: exit 0
// verdict: TRUE

// Each activation has its own locals, and pointers reach those of callers.
#include <assert.h>

static int depth_sum(int n, int *above) {
    int mine = n;
    if (above) *above += 100;
    int below = n > 0 ? depth_sum(n - 1, &mine) : 0;
    return mine + below;
}

static int *remembered;
static int reaches(int n) {
    int local = n;
    if (n == 3) remembered = &local;
    if (n == 0) *remembered = 42;
    else reaches(n - 1);
    return local;
}

int main(void) {
    assert(depth_sum(3, 0) == 103 + 102 + 101 + 0);
    assert(reaches(3) == 42);
    assert(reaches(4) == 4);
    return 0;
}
