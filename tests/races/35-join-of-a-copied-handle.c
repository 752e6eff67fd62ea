// verdict: TRUE
// The handle travels through a copy in a struct and is joined by another function.
#include <pthread.h>

struct job {
    int id;
    pthread_t thread;
};

static int result;

static void *run(void *arg) {
    result = 3;
    return arg;
}

static void finish(struct job *j) {
    pthread_t handle = j->thread;
    pthread_join(handle, NULL);
}

int main(void) {
    struct job j, copy;
    j.id = 1;
    pthread_create(&j.thread, NULL, run, NULL);
    copy = j;
    finish(&copy);
    return result - 3;
}
