// check: valid-deref,valid-free,valid-memtrack
// run: valid-memtrack

// Only the first nodes of a list are freed.
#include <stdlib.h>
#ifndef FREED
#define FREED 2
#endif
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
    for (int i = 0; i < FREED; i++) {
        struct node *next = p->next;
        free(p);
        p = next;
    }
    return 0;
}
