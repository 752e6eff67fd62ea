// check: valid-bounds
// outcomes: 0
// verdict: TRUE

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int items[1];
    int sum;
} queue;
static unsigned count;

static void *put(void *arg) {
    pthread_mutex_lock(&lock);
    if (count < 1) {
        queue.items[count] = 1;
        count++;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, put, 0);
    put(0);
    pthread_join(thread, 0);
    return 0;
}
