// outcomes: 0 error
// verdict: FALSE

// The destructor takes back what main looks at, and nothing keeps main from looking before.
#include <pthread.h>

extern void reach_error(void);

static pthread_key_t key;
static int lent;

static void take_back(void *place) {
    *(int *)place = 0;
}

static void *borrow(void *unused) {
    (void)unused;
    lent = 1;
    pthread_setspecific(key, &lent);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, take_back);
    pthread_create(&thread, NULL, borrow, NULL);
    if (lent) reach_error();
    return 0;
}
