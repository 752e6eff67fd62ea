// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-free

// CWE-415: what was removed from the end of a list is still found there when the list is freed.
#include <stdlib.h>

#ifndef UNLINK
#define UNLINK(task)
#endif

extern _Bool __VERIFIER_nondet_bool(void);

struct task {
    struct task *then;
};

static struct task *task(struct task *then) {
    struct task *new = malloc(sizeof(struct task));
    new->then = then;
    return new;
}

static void remove_after(struct task *task) {
    free(task->then);
    UNLINK(task);
}

int main(void) {
    struct task *last = task(0), *first = task(last);
    if (__VERIFIER_nondet_bool()) remove_after(first);
    free(first->then);
    free(first);
    return 0;
}
