// run: exit 0
// verdict: TRUE

#include <assert.h>

int main(void) {
    double tenth = 0.1, fifth = 0.2;
    assert(tenth + fifth != 0.3);
    assert(tenth + fifth - 0.3 < 1e-15);
    assert(1.0 / 4 == 0.25);
    assert(1 / 4 * 1.0 == 0.0);
    assert(7.5 - 0.5 == 7);
    double big = 9007199254740992.0;
    assert(big + 1 == big);
    assert(big + 2 != big);
    assert(-big == 0 - big);
    assert(3.0 * 0.5 == 1.5);
    double sum = 0;
    for (int i = 0; i < 10; i++) sum += tenth;
    assert(sum != 1.0);
    assert(sum == 0x1.fffffffffffffp-1);
    return 0;
}
