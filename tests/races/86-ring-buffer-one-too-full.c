// verdict: FALSE
// The producer fills one element more than fits, over the one that the consumer reads.
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

static int ring[SIZE];
static atomic_uint head, tail;

static void *produce(void *arg) {
    for (int i = 1; i <= 3; i++) {
        unsigned at = atomic_load(&tail);
        if (at - atomic_load(&head) > SIZE)
            break;
        ring[at % SIZE] = i;
        atomic_store(&tail, at + 1);
    }
    return arg;
}

int main(void) {
    pthread_t a;
    int sum = 0;
    pthread_create(&a, NULL, produce, NULL);
    for (int i = 0; i < 2; i++) {
        unsigned at = atomic_load(&head);
        if (at == atomic_load(&tail))
            break;
        sum += ring[at % SIZE];
        atomic_store(&head, at + 1);
    }
    pthread_join(a, NULL);
    return sum > 6;
}
