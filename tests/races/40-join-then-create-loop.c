// verdict: TRUE
// Every round joins its thread before main changes the variable and the next thread starts.
#include <pthread.h>

static int rounds;

static void *step(void *arg) {
    rounds++;
    return arg;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        rounds++;
        pthread_create(&t, NULL, step, NULL);
        pthread_join(t, NULL);
    }
    return rounds - 6;
}
