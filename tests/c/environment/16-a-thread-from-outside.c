// outcomes: invalid-memory
// verdict: FALSE

// The thread is of a function in another file, and may change what it gets at any time.
#include <pthread.h>

extern void reach_error(void);

typedef void *(*routine)(void *);
extern routine take(void);

int main(void) {
    pthread_t thread;
    int x = 0;
    pthread_create(&thread, 0, take(), &x);
    int before = x;
    if (x != before) reach_error();
    return 0;
}
