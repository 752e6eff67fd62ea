// check: valid-bounds
// outcomes: 0 index_out_of_bounds
// verdict: FALSE

// Both threads find room, and both take it.
#include <pthread.h>

static struct {
    int items[1];
    int sum;
} queue;
static unsigned count;

static void *put(void *arg) {
    if (count < 1) {
        queue.items[count] = 1;
        count++;
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, put, 0);
    if (count < 1) {
        queue.items[count] = 2;
        count++;
    }
    pthread_join(thread, 0);
    return 0;
}
