// run: long
// verdict: FALSE

// Two of these threads do no harm, nor do three; the fourth does.
#include <pthread.h>

extern void reach_error(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int visitors;

static void *visitor(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    visitors++;
    if (visitors == 4) reach_error();
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    visitors--;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    while (1) pthread_create(&thread, 0, visitor, 0);
}
