// check: valid-deref,valid-free,valid-memtrack
// run: valid-free

// CWE-590: the arguments of a task live on the stack of whoever asks for it, and are freed after it.
#include <stdlib.h>

#ifndef PLACE
#define PLACE &own
#endif

struct sum {
    int a, b, result;
};

static void run(void (*task)(struct sum *), struct sum *arguments) {
    task(arguments);
    free(arguments);
}

static void add(struct sum *sum) { sum->result = sum->a + sum->b; }

int main(void) {
    struct sum own, *arguments = PLACE;
    arguments->a = 2;
    arguments->b = 3;
    run(add, arguments);
    return 0;
}
