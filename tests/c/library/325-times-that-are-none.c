// run: exit 0
// verdict: TRUE

// Clocks that there are not, and nanoseconds that are too many, are refused.
#include <assert.h>
#include <errno.h>
#include <time.h>

int main(void) {
    struct timespec time = {0, 1000000000}, a, b;
    assert(nanosleep(&time, 0) == -1 && errno == EINVAL);
    errno = 0;
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &time, 0) == EINVAL && errno == 0);
    assert(clock_gettime(77, &time) == -1 && errno == EINVAL);
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(a.tv_sec <= b.tv_sec);
    return 0;
}
