// outcomes: 42
// verdict: TRUE

// Results come back through return and through pthread_exit deep in a call.
#include <pthread.h>

static void leave(void *value) { pthread_exit(value); }

static void *by_return(void *arg) { return (char *)arg + 10; }

static void *by_exit(void *arg) {
    leave(arg);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    void *first = NULL, *second = NULL;
    char base[64];
    pthread_create(&a, NULL, by_return, base);
    pthread_create(&b, NULL, by_exit, base + 32);
    pthread_join(b, &second);
    pthread_join(a, &first);
    return (int)(((char *)first - base) + ((char *)second - base));
}
