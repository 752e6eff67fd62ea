// run: exit 0
// verdict: TRUE

// The low bits of an aligned pointer carry a mark, as lock-free lists do.
#include <assert.h>
#include <stdint.h>

struct node { struct node *next; int value; };

static struct node *mark(struct node *n) { return (struct node *)((uintptr_t)n | 1); }
static int is_marked(struct node *n) { return (uintptr_t)n & 1; }
static struct node *clear(struct node *n) { return (struct node *)((uintptr_t)n & ~(uintptr_t)1); }

int main(void) {
    struct node tail = {0, 2}, head = {&tail, 1};
    head.next = mark(head.next);
    assert(is_marked(head.next));
    assert(!is_marked(&tail));
    assert(clear(head.next) == &tail);
    assert(clear(head.next)->value == 2);
    return 0;
}
