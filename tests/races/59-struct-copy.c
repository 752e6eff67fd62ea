// verdict: FALSE
// Copying the whole struct reads the member that the thread writes.
#include <pthread.h>

struct state {
    int x, y;
};

static struct state live, saved;

static void *worker(void *arg) {
    live.y = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    saved = live;
    pthread_join(a, NULL);
    return saved.x;
}
