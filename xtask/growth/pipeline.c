// THREADS threads in a row, from 2 to 12 of them: the first makes ROUNDS items, each hands them on
// to the next through a box with two semaphores, and the last adds them up.
//
// Only neighbours share a box, so most steps do not depend on those of most other threads. Every
// thread between the ends has a procedure of its own, which names its boxes: that is how it can be
// seen from the program, without following pointers from state to state. With WRONG the assertion
// asks for one more than the sum.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

struct box {
    sem_t empty;
    sem_t full;
    int item;
};

static void put(struct box *box, int item) {
    sem_wait(&box->empty);
    box->item = item;
    sem_post(&box->full);
}

static int take(struct box *box) {
    sem_wait(&box->full);
    int item = box->item;
    sem_post(&box->empty);
    return item;
}

// The box before thread `number`; macros among the arguments are expanded first.
#define BOX(number) BOX_OF(number)
#define BOX_OF(number) box##number

// Thread `number`, which is neither the first nor the last: every item becomes one more.
#define STAGE(number, next) \
    static struct box box##next; \
    static void *stage##number(void *unused) { \
        (void)unused; \
        for (int round = 0; round < ROUNDS; round++) { \
            put(&box##next, take(&box##number) + 1); \
        } \
        return NULL; \
    }

static struct box box2;
STAGE(2, 3)
STAGE(3, 4)
STAGE(4, 5)
STAGE(5, 6)
STAGE(6, 7)
STAGE(7, 8)
STAGE(8, 9)
STAGE(9, 10)
STAGE(10, 11)
STAGE(11, 12)

static void *first(void *unused) {
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        put(&box2, round);
    }
    return NULL;
}

static int sum = 0;

static void *last(void *unused) {
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        sum += take(&BOX(THREADS));
    }
    return NULL;
}

static pthread_t threads[THREADS];

// Starts the next thread, with the box that it fills.
static void start(int index, void *(*run)(void *), struct box *box) {
    sem_init(&box->empty, 0, 1);
    sem_init(&box->full, 0, 0);
    pthread_create(&threads[index], NULL, run, NULL);
}

// Starts thread `number`, which is neither the first nor the last.
#define START(number, next) \
    if (number < THREADS) start(number - 1, stage##number, &box##next)

int main(void) {
    start(0, first, &box2);
    START(2, 3);
    START(3, 4);
    START(4, 5);
    START(5, 6);
    START(6, 7);
    START(7, 8);
    START(8, 9);
    START(9, 10);
    START(10, 11);
    START(11, 12);
    pthread_create(&threads[THREADS - 1], NULL, last, NULL);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
#ifdef WRONG
    assert(sum == ROUNDS * (ROUNDS - 1) / 2 + ROUNDS * (THREADS - 2) + 1);
#else
    assert(sum == ROUNDS * (ROUNDS - 1) / 2 + ROUNDS * (THREADS - 2));
#endif
    return 0;
}
