// outcomes: deadlock
// verdict: TRUE

// A normal mutex locked twice by the same thread: that thread never goes on.
#include <pthread.h>

extern void reach_error(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    reach_error();
    return 0;
}
