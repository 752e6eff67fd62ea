// outcomes: 0
// verdict: TRUE

// A lock made of an exchange, and a counter that is added to without it, both in assembly.
#include "threads.h"

extern void reach_error(void);

static unsigned char locked;
static int shared, counted;

static void *add(void *arg) {
    unsigned char old = 1;
    __asm__ __volatile__("xchgb %0, %1" : "+q"(old), "+m"(locked) : : "memory");
    if (!old) {
        int now = shared;
        shared = now + 1;
        if (shared != now + 1) reach_error();
        __asm__ __volatile__("movb %1, %0" : "=m"(locked) : "iq"((unsigned char)0) : "memory");
    }
    __asm__ __volatile__("lock; incl %0" : "+m"(counted) : : "memory", "cc");
    return arg;
}

int main(void) {
    RUN_BOTH(add, add);
    if (counted != 2 || shared < 1) reach_error();
    return 0;
}
