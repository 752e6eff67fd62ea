// check: valid-memcleanup
// run: valid-memcleanup

// Tracked memory that is not freed.
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
