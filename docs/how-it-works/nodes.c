// Two nodes are made, linked, and changed through the link.

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *first = calloc(1, sizeof *first);
    struct node *second = calloc(1, sizeof *second);
    int x = __VERIFIER_nondet_int();

    first->next = second;
    first->value = x;
    first->next->value = x;
    assert(first->value == second->value && second->next == NULL);
    return 0;
}
