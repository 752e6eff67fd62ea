// outcomes: 0 error
// verdict: FALSE

// Without the prefix, an instruction reads memory and then writes it.
#include "threads.h"

extern void reach_error(void);

static int counted;

static void *add(void *arg) {
    __asm__ __volatile__("incl %0" : "+m"(counted) : : "cc");
    return arg;
}

int main(void) {
    RUN_BESIDE(add, add(0));
    if (counted != 2) reach_error();
    return 0;
}
