// outcomes: 3
// verdict: TRUE

#include <pthread.h>

static pthread_t main_thread;
static int score;

static void *worker(void *arg) {
    if (!pthread_equal(pthread_self(), main_thread)) score += 1;
    return arg;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, NULL, worker, NULL);
    if (pthread_equal(t, main_thread)) return 100;
    pthread_join(t, NULL);
    if (pthread_equal(pthread_self(), main_thread)) score += 2;
    return score;
}
