// verdict: FALSE
// The first byte of one member overlaps the other member.
#include <pthread.h>

static union {
    int word;
    char bytes[4];
} u;

static void *worker(void *arg) {
    u.bytes[2] = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    int seen = u.word;
    pthread_join(a, NULL);
    return seen == 1;
}
