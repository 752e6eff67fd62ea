// check: valid-deref,valid-free
// outcomes: 0 valid-deref

// CWE-416: a job is freed while the thread that does it may still be at work.
#include <pthread.h>
#include <stdlib.h>

#ifndef EARLY
#define EARLY free(job)
#define LATE
#endif

static void *work(void *job) {
    int *progress = job;
    *progress = 1;
    return NULL;
}

int main(void) {
    pthread_t worker;
    int *job = malloc(sizeof *job);
    pthread_create(&worker, NULL, work, job);
    EARLY;
    pthread_join(worker, NULL);
    LATE;
    return 0;
}
