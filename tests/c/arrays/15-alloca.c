// run: exit 0
// verdict: TRUE

// alloca memory lives until the function returns, not until the block ends.
#include <alloca.h>
#include <assert.h>

struct cell { struct cell *next; int value; };

static int build(int n) {
    struct cell *head = 0;
    for (int i = 1; i <= n; i++) {
        struct cell *c = alloca(sizeof *c);
        c->next = head;
        c->value = i;
        head = c;
    }
    int sum = 0;
    for (; head; head = head->next) sum += head->value;
    char *bytes = __builtin_alloca(3);
    bytes[2] = 1;
    return sum + bytes[2];
}

int main(void) {
    assert(build(4) == 11);
    assert(build(0) == 1);
    return 0;
}
