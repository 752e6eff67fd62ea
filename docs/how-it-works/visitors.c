#include <pthread.h>

extern void reach_error(void);

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *visitor(void *unused) {
    (void)unused;
    pthread_mutex_lock(&door);
    inside++;
    if (inside != 1) reach_error();
    inside--;
    pthread_mutex_unlock(&door);
    return 0;
}

int main(void) {
    pthread_t thread;
    while (1) pthread_create(&thread, 0, visitor, 0);
}
