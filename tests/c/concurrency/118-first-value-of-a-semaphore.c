// run: long
// verdict: FALSE

// Some of these values are too large for a semaphore, and are refused.
#include <pthread.h>
#include <semaphore.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static sem_t semaphore;
static int written;

static void *writer(void *unused) {
    (void)unused;
    written = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    unsigned value = __VERIFIER_nondet_uint();
    pthread_create(&thread, 0, writer, 0);
    if (value > 0x7ffffff0u && value < 0x8000000fu && sem_init(&semaphore, 0, value) != 0) reach_error();
    pthread_join(thread, 0);
    return 0;
}
