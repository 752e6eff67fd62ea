// verdict: TRUE
// Every element of an array of structs has its own mutex; threads may get the same element.
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct slot {
    pthread_mutex_t lock;
    int used;
};

static struct slot table[3];

static void *use(void *arg) {
    struct slot *s = &table[__VERIFIER_nondet_uint() % 3];
    pthread_mutex_lock(&s->lock);
    s->used++;
    pthread_mutex_unlock(&s->lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < 3; i++)
        pthread_mutex_init(&table[i].lock, NULL);
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
