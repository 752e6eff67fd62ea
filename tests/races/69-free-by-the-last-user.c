// verdict: TRUE
// An atomic count of references decides which thread frees the block.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int users;
    int value;
};

static void *use(void *arg) {
    struct shared *s = arg;
    int seen = s->value;
    if (atomic_fetch_sub(&s->users, 1) == 1)
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
