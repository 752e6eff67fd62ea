// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

// All nodes of a list are freed.
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
int main(void) {
    struct node *p = list(3);
    while (p) {
        struct node *next = p->next;
        free(p);
        p = next;
    }
    return 0;
}
