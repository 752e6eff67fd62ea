// A bounded buffer between a producer and a consumer.
//
// Mutex and condition variables live inside the struct together with the data they protect, as in
// real code. The claims: items arrive in the order in which they were sent, and the buffer never
// holds more than its capacity. Replacing a `while` around pthread_cond_wait by `if` would rely on
// there being no spurious wake-ups.
//
// Expected: Verdict: TRUE

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define CAPACITY 2
#define ITEMS 3

struct ring_buffer {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int items[CAPACITY];
    unsigned head, count;
};

static struct ring_buffer buffer = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
};

static void put(struct ring_buffer *b, int item) {
    pthread_mutex_lock(&b->lock);
    while (b->count == CAPACITY) pthread_cond_wait(&b->not_full, &b->lock);
    b->items[(b->head + b->count) % CAPACITY] = item;
    b->count++;
    assert(b->count <= CAPACITY);
    pthread_cond_signal(&b->not_empty);
    pthread_mutex_unlock(&b->lock);
}

static int take(struct ring_buffer *b) {
    pthread_mutex_lock(&b->lock);
    while (b->count == 0) pthread_cond_wait(&b->not_empty, &b->lock);
    int item = b->items[b->head];
    b->head = (b->head + 1) % CAPACITY;
    b->count--;
    pthread_cond_signal(&b->not_full);
    pthread_mutex_unlock(&b->lock);
    return item;
}

static void *producer(void *argument) {
    struct ring_buffer *b = argument;
    for (int i = 0; i < ITEMS; i++) put(b, 10 * i);
    return NULL;
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, producer, &buffer);
    for (int i = 0; i < ITEMS; i++) assert(take(&buffer) == 10 * i);
    pthread_join(thread, NULL);
    return 0;
}
