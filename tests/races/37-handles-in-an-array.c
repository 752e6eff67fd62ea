// verdict: TRUE
// Threads in a loop write their own elements; a second loop joins them all.
#include <pthread.h>

#define N 4

static int part[N];

static void *fill(void *arg) {
    int *mine = arg;
    *mine = 1;
    return NULL;
}

int main(void) {
    pthread_t t[N];
    int sum = 0;
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, fill, &part[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < N; i++)
        sum += part[i];
    return sum - N;
}
