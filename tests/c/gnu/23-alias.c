// run: exit 0
// verdict: TRUE

// An alias is a second name of the same object or function.
#include <assert.h>

int counter = 1;
extern int other_name __attribute__((alias("counter")));

int twice(int x) { return 2 * x; }
int same(int x) __attribute__((alias("twice")));

int main(void) {
    other_name++;
    assert(counter == 2 && other_name == 2);
    assert(&counter == &other_name);
    counter = 5;
    assert(same(other_name) == 10 && same == twice);
    return 0;
}
