// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// A global tracks a list when main returns.
#include <stdlib.h>
struct node {
    struct node *next;
};
static struct node *list(int n) {
    struct node *head = 0;
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
    }
    return head;
}
static struct node *kept;
int main(void) {
    kept = list(3);
    return 0;
}
