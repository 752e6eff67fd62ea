// run: exit 0
// verdict: TRUE

// Internal linkage: each file has its own state and helper.
#include <assert.h>

static int state = 1;
static int helper(int x) { return x + state; }
extern int other_step(int);
extern int *other_state(void);

int main(void) {
    assert(helper(10) == 11);
    assert(other_step(10) == 1000);
    state = 5;
    assert(*other_state() == 101 && other_state() != &state);
    assert(helper(1) == 6 && other_step(1) == 101);
    return 0;
}
