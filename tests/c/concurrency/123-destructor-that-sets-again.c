// outcomes: 5
// verdict: TRUE

// A destructor that leaves a new value is called again, but not for ever; one that is deleted is not called.
#include <pthread.h>

extern void reach_error(void);

static pthread_key_t stubborn, deleted;
static int rounds;

static void keep(void *value) {
    rounds++;
    pthread_setspecific(stubborn, value);
}

static void never(void *unused) {
    (void)unused;
    reach_error();
}

static void *worker(void *value) {
    pthread_setspecific(stubborn, value);
    pthread_setspecific(deleted, value);
    pthread_key_delete(deleted);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&stubborn, keep);
    pthread_key_create(&deleted, never);
    pthread_create(&thread, NULL, worker, &rounds);
    pthread_join(thread, NULL);
    return rounds + 1;
}
