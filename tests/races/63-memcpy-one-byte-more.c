// verdict: FALSE
// As 62, but the copy takes one byte more.
#include <pthread.h>
#include <string.h>

static char text[16] = "left....right..";
static char copy[9];

static void *worker(void *arg) {
    text[8] = 'R';
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    memcpy(copy, text, 9);
    pthread_join(a, NULL);
    return copy[0] - 'l';
}
