// outcomes: 12 21
// verdict: TRUE

// Start routines from a table; the order of the two appends is free, each is atomic.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int digits;

static void append(int d) {
    pthread_mutex_lock(&lock);
    digits = 10 * digits + d;
    pthread_mutex_unlock(&lock);
}

static void *one(void *arg) { append(1); return arg; }
static void *two(void *arg) { append(2); return arg; }

static void *(*const routines[])(void *) = {one, two};

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, routines[i], NULL);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return digits;
}
