// run: unsupported
// verdict: TRUE

#include <assert.h>

int shared = 3;

int main(void) {
    // Nothing declares or defines it: its result is unknown, and it changes nothing.
    int number = nobody_declares_this(shared, 1.5);
    if (number > 3) shared = 4;
    assert(shared == 3 || number > 3);
    return 0;
}
