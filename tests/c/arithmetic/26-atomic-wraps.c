// check: no-overflow
// run: exit 0
// verdict: TRUE

// C11 7.17.7.5p3: atomic additions wrap around silently; gcc makes such of `++` and `+=`.
#include <stdatomic.h>

int main(void) {
    _Atomic int counter = 2147483647;
    counter++;
    counter -= 1;
    counter += 1;
    atomic_fetch_sub(&counter, 1);
    return counter == 2147483647 ? 0 : 1;
}
