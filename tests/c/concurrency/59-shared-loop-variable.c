// outcomes: 1 2 4 5 7 8
// verdict: TRUE

// Both threads get the address of i itself. The first may read 0, 1 or 2, the second 1 or 2, in
// every combination: 3 * first + second.
#include <pthread.h>

static int seen[2];

static void *first(void *arg) {
    seen[0] = *(int *)arg;
    return NULL;
}

static void *second(void *arg) {
    seen[1] = *(int *)arg;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int i = 0;
    pthread_create(&t[0], NULL, first, &i);
    i++;
    pthread_create(&t[1], NULL, second, &i);
    i++;
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 3 * seen[0] + seen[1];
}
