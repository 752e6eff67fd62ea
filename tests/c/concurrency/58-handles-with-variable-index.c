// outcomes: 6
// verdict: TRUE

// Threads are created in one order and joined in another; each writes its own slot.
#include <pthread.h>
#include <stdlib.h>

static int slots[3];

static void *worker(void *arg) {
    int *slot = arg;
    *slot = (int)(slot - slots) + 1;
    return NULL;
}

int main(void) {
    int n = 3, sum = 0;
    pthread_t *t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++) pthread_create(t + i, NULL, worker, &slots[i]);
    for (int i = n - 1; i >= 0; i--) {
        pthread_join(t[i], NULL);
        sum += slots[i];
    }
    free(t);
    return sum;
}
