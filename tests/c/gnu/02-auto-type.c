// run: exit 0
// verdict: TRUE

#include <assert.h>

#define MIN(a, b)                    \
    ({                               \
        __auto_type a_ = (a);        \
        __auto_type b_ = (b);        \
        a_ < b_ ? a_ : b_;           \
    })

struct s { char c[3]; };

int main(void) {
    __auto_type x = 1ll << 40;
    assert(sizeof x == 8 && x == 1099511627776ll);
    __auto_type d = 0.5f;
    assert(sizeof d == 4 && d * 2 == 1);
    struct s s = {"ab"};
    __auto_type t = s;
    assert(sizeof t == 3 && t.c[1] == 'b');
    __auto_type p = &s;
    assert(p->c[0] == 'a');
    int i = 3;
    assert(MIN(i++, 10u) == 3 && i == 4);
    assert(MIN(-1.5, 2) == -1.5);
    return 0;
}
