// run: error
// verdict: FALSE

// The comparison is the wrong way round, so the list comes out in descending order.
#include <stdlib.h>

extern void reach_error(void);

struct node { int key; struct node *next; };

static void insert(struct node **slot, int key) {
    while (*slot && (*slot)->key > key) slot = &(*slot)->next;
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = *slot;
    *slot = n;
}

int main(void) {
    struct node *list = NULL;
    insert(&list, 2);
    insert(&list, 1);
    insert(&list, 3);
    for (struct node *n = list; n && n->next; n = n->next)
        if (n->key > n->next->key) reach_error();
    return 0;
}
