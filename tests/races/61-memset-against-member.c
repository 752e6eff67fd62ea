// verdict: FALSE
// memset writes the whole object, also the member that the thread reads.
#include <pthread.h>
#include <string.h>

struct state {
    int x, y;
};

static struct state live;

static void *worker(void *arg) {
    return live.y ? arg : NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    memset(&live, 0, sizeof live);
    pthread_join(a, NULL);
    return live.x;
}
