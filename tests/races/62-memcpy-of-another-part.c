// verdict: TRUE
// memcpy reads and writes the bytes it is told to, and the thread uses the others.
#include <pthread.h>
#include <string.h>

static char text[16] = "left....right..";
static char copy[8];

static void *worker(void *arg) {
    text[8] = 'R';
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    memcpy(copy, text, 8);
    pthread_join(a, NULL);
    return copy[0] - 'l';
}
