// verdict: FALSE
// The threads get the address of the loop variable that main keeps changing.
#include <pthread.h>

#define N 3

static int part[N];

static void *fill(void *arg) {
    int *index = arg;
    part[*index % N] = 1;
    return NULL;
}

int main(void) {
    pthread_t t[N];
    int i;
    for (i = 0; i < N; i++)
        pthread_create(&t[i], NULL, fill, &i);
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    return 0;
}
