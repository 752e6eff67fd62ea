// verdict: FALSE
// As 69, but the value is read after the reference is given back.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int users;
    int value;
};

static void *use(void *arg) {
    struct shared *s = arg;
    int last = atomic_fetch_sub(&s->users, 1) == 1;
    int seen = s->value;
    if (last)
        free(s);
    return seen ? NULL : arg;
}

int main(void) {
    pthread_t a;
    struct shared *s = malloc(sizeof *s);
    s->value = 1;
    atomic_init(&s->users, 2);
    pthread_create(&a, NULL, use, s);
    use(s);
    pthread_join(a, NULL);
    return 0;
}
