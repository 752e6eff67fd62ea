// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <time.h>

int main(void) {
    time_t now = time(0) % 1000000;
    assert(difftime(now + 5, now) == 5.0 && difftime(now, now + 5) == -5.0);
    assert(difftime(now, now) == 0.0);
    return 0;
}
