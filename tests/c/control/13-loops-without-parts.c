// run: exit 0
// verdict: TRUE

#include <assert.h>

int main(void) {
    int i = 0;
    for (;;) {
        if (++i == 5) break;
    }
    assert(i == 5);
    for (; i < 8;) i++;
    assert(i == 8);
    for (int i = 100; i < 102; i++) assert(i >= 100);
    assert(i == 8);
    while (i-- > 3);
    assert(i == 2);
    for (i = 0; i < 3; i++) {
        int i = 40;
        i++;
        assert(i == 41);
    }
    assert(i == 3);
    int never = 0;
    while (never) never = 2;
    for (; never;) never = 3;
    assert(never == 0);
    return 0;
}
