// outcomes: 1 2 12 21
// verdict: TRUE

// Without compare-and-swap a push can be lost: the later write of top wins alone.
#include <stdlib.h>
#include "threads.h"

struct node { int value; struct node *next; };
static struct node *top;

static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = top;
    top = n;
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
