// outcomes: 0 error
// verdict: FALSE

// Without the prefix, an instruction reads memory and then writes it.
#include <pthread.h>

extern void reach_error(void);

static int counted;

static void *add(void *arg) {
    __asm__ __volatile__("incl %0" : "+m"(counted) : : "cc");
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, add, 0);
    add(0);
    pthread_join(a, 0);
    if (counted != 2) reach_error();
    return 0;
}
