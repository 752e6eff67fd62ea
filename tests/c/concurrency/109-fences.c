// outcomes: 0
// verdict: TRUE

// Fences and pauses do nothing where memory is sequentially consistent: one of the threads sees the other.
#include <pthread.h>

extern void reach_error(void);

static int x, y, seen_x, seen_y;

static void *left(void *unused) {
    (void)unused;
    x = 1;
    __asm__ volatile("mfence" ::: "memory");
    seen_y = y;
    return 0;
}

static void *right(void *unused) {
    (void)unused;
    y = 1;
    __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    seen_x = x;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    __asm__ volatile("rep; nop\n\tpause");
    pthread_join(b, 0);
    if (seen_x == 0 && seen_y == 0) reach_error();
    return 0;
}
