// check: no-overflow
// outcomes: 0 signed_overflow

// CWE-191: a lift goes down from whatever floor it is on.
#include <limits.h>

#ifndef LOWEST
#define LOWEST(floor) 0
#endif

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

static void move(int *floor, _Bool up) {
    if (up) {
        if (*floor != INT_MAX) ++*floor;
    } else if (!LOWEST(*floor)) {
        --*floor;
    }
}

int main(void) {
    int floor = __VERIFIER_nondet_int();
    for (int call = 0; call < 3; call++) move(&floor, __VERIFIER_nondet_bool());
    return 0;
}
