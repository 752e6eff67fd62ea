// run: long
// verdict: FALSE

// Who was counted may be forgotten again: a late write of one visitor undoes the counts of two others.
#include <pthread.h>

extern void reach_error(void);

static int counted;

static void *visitor(void *unused) {
    (void)unused;
    counted++;
    int now = counted;
    if (now == 3 && counted == 2) reach_error();
    return 0;
}

int main(void) {
    pthread_t thread;
    while (1) pthread_create(&thread, 0, visitor, 0);
}
