// outcomes: 0 error
// verdict: FALSE

// Whom the signal wakes matters: one of those that wait goes wrong.
#include <pthread.h>

extern void reach_error(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int waiting, given;

static int wait_for_it(void) {
    int mine = 0;
    pthread_mutex_lock(&lock);
    waiting++;
    while (given == 0)
        pthread_cond_wait(&go, &lock);
    if (given == 1) {
        given = 2;
        mine = 1;
    }
    pthread_mutex_unlock(&lock);
    return mine;
}

static void *good(void *unused) {
    wait_for_it();
    return unused;
}

static void *bad(void *unused) {
    if (wait_for_it())
        reach_error();
    return unused;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, NULL, good, NULL);
    pthread_create(&two, NULL, bad, NULL);
    pthread_create(&three, NULL, good, NULL);
    pthread_mutex_lock(&lock);
    if (waiting == 3) {
        given = 1;
        pthread_cond_signal(&go);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}
