// outcomes: 2
// verdict: TRUE

// Zeros are what a free mutex holds: to clear a struct before its mutex is used says nothing else.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct counter {
    int count;
    pthread_mutex_t mutex;
};

static void *add_one(void *arg) {
    struct counter *counter = arg;
    pthread_mutex_lock(&counter->mutex);
    counter->count++;
    pthread_mutex_unlock(&counter->mutex);
    return NULL;
}

int main(void) {
    struct counter *counter = malloc(sizeof *counter);
    if (counter == NULL)
        return 2;
    memset(counter, 0, sizeof *counter);
    pthread_t one, two;
    pthread_create(&one, NULL, add_one, counter);
    pthread_create(&two, NULL, add_one, counter);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter->count == 2);
    return counter->count;
}
