// One thread prepares a value and hands it over; what it writes afterwards nobody looks at.

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int data = 0, done = 0, log_size = 0;

static void *writer(void *unused) {
    (void)unused;
    data = 1;
    done = 1;
    log_size = log_size + 1;
    data = 2;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    if (done) assert(data >= 1);
    log_size = log_size + 1;
    return 0;
}
