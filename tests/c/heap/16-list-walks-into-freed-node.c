// run: invalid-memory

// The loop reads n->next after freeing n.
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    for (struct node *n = head; n; n = n->next) free(n);
    return 0;
}
