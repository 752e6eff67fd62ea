// outcomes: 0 error
// verdict: FALSE

// Two threads have a pointer to one object on the heap; its second member is ready before its first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message {
    int length;
    int ready;
};

static void *sender(void *argument) {
    struct message *message = argument;
    message->ready = 1;
    message->length = 7;
    return NULL;
}

static void *receiver(void *argument) {
    struct message *message = argument;
    if (message->ready)
        assert(message->length == 7);
    return NULL;
}

int main(void) {
    struct message *message = calloc(1, sizeof *message);
    pthread_t one, two;
    pthread_create(&one, NULL, sender, message);
    pthread_create(&two, NULL, receiver, message);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(message);
    return 0;
}
