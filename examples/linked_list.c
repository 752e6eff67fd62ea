// A sorted linked list on the heap, with a bug in the insertion.
//
// `insert` should keep the list in ascending order. It handles an empty list and a new smallest
// element, but compares with the wrong node when it walks on. The inputs are arbitrary, so the
// verifier has to find values for which the order breaks, for example 0, 2, 1.
//
// Expected: Verdict: FALSE(unreach-call)
// Comparing with `position->next->value` instead repairs it.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

// By convention a call of this function is the error that must not happen.
void reach_error(void) { abort(); }

struct node {
    int value;
    struct node *next;
};

static struct node *insert(struct node *list, int value) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    if (list == NULL || value <= list->value) {
        fresh->next = list;
        return fresh;
    }
    struct node *position = list;
    while (position->next != NULL && position->value < value) position = position->next;
    fresh->next = position->next;
    position->next = fresh;
    return list;
}

int main(void) {
    struct node *list = NULL;

    for (int i = 0; i < 3; i++) list = insert(list, __VERIFIER_nondet_int());

    for (struct node *n = list; n->next != NULL; n = n->next) {
        if (n->value > n->next->value) reach_error();
    }

    while (list != NULL) {
        struct node *dead = list;
        list = list->next;
        free(dead);
    }
    return 0;
}
