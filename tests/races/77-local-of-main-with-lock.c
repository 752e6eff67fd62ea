// verdict: TRUE
// Two threads share a local variable of main and the mutex beside it.
#include <pthread.h>

struct box {
    pthread_mutex_t m;
    int *sum;
};

static void *add(void *arg) {
    struct box *b = arg;
    pthread_mutex_lock(&b->m);
    *b->sum += 1;
    pthread_mutex_unlock(&b->m);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    int sum = 0;
    struct box b = {.sum = &sum};
    pthread_mutex_init(&b.m, NULL);
    pthread_create(&t, NULL, add, &b);
    pthread_create(&u, NULL, add, &b);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return sum - 2;
}
