// verdict: TRUE
// Main starts a detached thread and no longer touches what it uses.
#include <pthread.h>

static int done;

static void *work(void *arg) {
    done++;
    return arg;
}

int main(void) {
    pthread_attr_t attr;
    pthread_t t;
    done = 1;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, work, NULL);
    pthread_attr_destroy(&attr);
    return 0;
}
