// check: valid-bounds
// run: exit 4
// verdict: TRUE

#include <stddef.h>

struct account {
    int pins[4];
    int balance;
};

static struct account account;
static int *end = &account.pins[4];

int main(void) {
    int no = 0, at = 9;
    if (no && account.pins[at]) return 1;
    if (no ? account.pins[at] : 0) return 2;
    if (end != &account.balance && offsetof(struct account, pins[2]) != 8) return 3;
    return sizeof account.pins[at];
}
