// outcomes: 12 21
// verdict: TRUE

// Two pushes by compare-and-swap: both nodes are there, in either order.
#include <stdlib.h>
#include "threads.h"

#ifndef SWAP
#define SWAP __sync_bool_compare_and_swap
#endif

struct node { int value; struct node *next; };
static struct node *top;

static void push(int value) {
    struct node *n = malloc(sizeof *n), *old;
    n->value = value;
    do {
        old = top;
        n->next = old;
    } while (!SWAP(&top, old, n));
}

static void *worker(void *arg) {
    push(1);
    return arg;
}

int main(void) {
    RUN_BESIDE(worker, push(2));
    int digits = 0;
    for (struct node *n = top; n; n = n->next) digits = 10 * digits + n->value;
    return digits;
}
