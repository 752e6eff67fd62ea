// verdict: FALSE
// A static local variable of a function is one object for all threads.
#include <pthread.h>

static int next_id(void) {
    static int last;
    return ++last;
}

static void *worker(void *arg) {
    return next_id() > 2 ? arg : NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    int mine = next_id();
    pthread_join(a, NULL);
    return mine > 2;
}
