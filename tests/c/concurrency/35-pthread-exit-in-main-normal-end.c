// outcomes: 0
// verdict: TRUE

// The worker goes on after main's thread has ended, and even joins it. The process ends with
// status 0 when the last thread returns.
#include <pthread.h>

extern void reach_error(void);

static pthread_t main_thread;
static int x;

static void *worker(void *arg) {
    void *result;
    pthread_join(main_thread, &result);
    if (x != 1 || result != &x) reach_error();
    return arg;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    pthread_exit(&x);
}
