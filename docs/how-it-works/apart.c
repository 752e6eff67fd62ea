// The same function runs in two threads, each with a pointer to a counter of its own.

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int left = 0, right = 0;

static void *count(void *argument) {
    int *counter = argument;
    *counter = *counter + 1;
    *counter = *counter + 1;
    return NULL;
}

int main(void) {
    pthread_t first, second;

    pthread_create(&first, NULL, count, &left);
    pthread_create(&second, NULL, count, &right);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(left == 2 && right == 2);
    return 0;
}
