// check: no-overflow
// outcomes: signed_overflow

// CWE-190: two counters hand out tickets from a roll that is nearly at its end.
#include <pthread.h>

#define LAST 2147483647
#ifndef NEXT
#define NEXT(ticket) (ticket + 1)
#endif

static pthread_mutex_t roll = PTHREAD_MUTEX_INITIALIZER;
static int ticket = LAST - 1;

static void *counter(void *name) {
    pthread_mutex_lock(&roll);
    ticket = NEXT(ticket);
    pthread_mutex_unlock(&roll);
    return name;
}

int main(void) {
    pthread_t window;
    pthread_create(&window, NULL, counter, "window");
    counter("door");
    pthread_join(window, NULL);
    return 0;
}
