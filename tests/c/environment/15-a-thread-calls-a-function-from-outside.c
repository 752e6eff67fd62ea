// outcomes: invalid-memory
// verdict: FALSE

// The thread gets past the call, in whichever file that function is.
#include <pthread.h>

extern void reach_error(void);

typedef void (*callback)(void);
extern callback take(void);

static void *worker(void *unused) {
    callback function = take();
    function();
    reach_error();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
