// run: exit 0
// verdict: TRUE

// continue in a do-while goes to the condition, not to the start of the body.
#include <assert.h>

#define SWAP(a, b) do { int swap_ = a; a = b; b = swap_; } while (0)

int main(void) {
    int x = 1, y = 2;
    if (x < y)
        SWAP(x, y);
    else
        x = 50;
    assert(x == 2 && y == 1);

    int rounds = 0;
    do {
        rounds++;
        if (rounds < 100) continue;
        rounds = 1000;
    } while (0);
    assert(rounds == 1);

    do {
        if (rounds == 1) break;
        rounds = 77;
    } while (0);
    assert(rounds == 1);

    int i = 0;
    do
        if (i == 3) continue;
    while (i++ < 5);
    assert(i == 6);
    return 0;
}
