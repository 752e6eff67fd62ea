// run: long
// verdict: TRUE

// However many threads there are, one at a time is between lock and unlock.
#include <pthread.h>

extern void reach_error(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *visitor(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    inside++;
    if (inside != 1) reach_error();
    inside--;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    while (1) pthread_create(&thread, 0, visitor, 0);
}
