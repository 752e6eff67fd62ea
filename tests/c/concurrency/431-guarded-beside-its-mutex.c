// run: long
// verdict: TRUE

// A queue whose counter lies behind the mutex that guards it, in one structure.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static struct queue {
    pthread_mutex_t mutex;
    int room, length;
} queue = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void put(struct queue *q) {
    pthread_mutex_lock(&q->mutex);
    if (q->length < q->room)
        q->length++;
    assert(q->length >= 0 && q->length <= q->room);
    pthread_mutex_unlock(&q->mutex);
}

static void *worker(void *arg) {
    for (;;)
        put(&queue);
    return arg;
}

int main(void) {
    queue.room = __VERIFIER_nondet_int();
    if (queue.room < 0)
        return 0;
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&t, NULL, worker, NULL);
    for (;;)
        put(&queue);
}
