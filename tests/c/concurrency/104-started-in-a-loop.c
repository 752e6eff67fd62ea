// outcomes: 0 error
// verdict: FALSE

// Threads that are started in a loop get a pointer to its counter, which goes on.
#include <assert.h>
#include <pthread.h>

#define COUNT 2

static int seen[COUNT];

static void *worker(void *number) {
    seen[*(int *)number] = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[COUNT];
    static int i;
    for (i = 0; i < COUNT - 1; i++)
        pthread_create(&threads[i], NULL, worker, &i);
    pthread_create(&threads[COUNT - 1], NULL, worker, &i);
    for (int j = 0; j < COUNT; j++)
        pthread_join(threads[j], NULL);
    assert(seen[0] && seen[1]);
    return 0;
}
