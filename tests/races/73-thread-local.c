// verdict: TRUE
// Every thread has its own instance of a thread-local variable.
#include <pthread.h>

static __thread int counter;
static _Thread_local int *place;

static void *worker(void *arg) {
    place = &counter;
    for (int i = 0; i < 3; i++)
        ++*place;
    return counter == 3 ? arg : NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    return counter - 3;
}
