// verdict: FALSE
// Main passes the address of its instance to the thread, and both change it.
#include <pthread.h>

static __thread int counter;

static void *worker(void *arg) {
    int *of_main = arg;
    ++*of_main;
    counter++;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, &counter);
    counter++;
    pthread_join(a, NULL);
    return counter - 2;
}
