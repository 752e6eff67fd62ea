// outcomes: 4
// verdict: TRUE

// Where the program ends, no destructor runs; nor has a thread without a value one to run.
#include <pthread.h>

extern void reach_error(void);

static pthread_key_t key;

static void never(void *unused) {
    (void)unused;
    reach_error();
}

static void *worker(void *unused) {
    pthread_setspecific(key, &key);
    pthread_setspecific(key, NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, never);
    pthread_setspecific(key, &key);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 4;
}
