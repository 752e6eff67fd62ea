// verdict: FALSE
// Two threads change a local variable of main.
#include <pthread.h>

static void *add(void *arg) {
    *(int *)arg += 1;
    return NULL;
}

int main(void) {
    pthread_t t, u;
    int sum = 0;
    pthread_create(&t, NULL, add, &sum);
    pthread_create(&u, NULL, add, &sum);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return sum - 2;
}
