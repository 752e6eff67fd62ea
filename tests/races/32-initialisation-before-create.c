// verdict: TRUE
// Main writes before it starts the thread, and reads after it joined it.
#include <pthread.h>

static int input, output;

static void *square(void *arg) {
    output = input * input;
    return arg;
}

int main(void) {
    pthread_t a;
    input = 12;
    pthread_create(&a, NULL, square, NULL);
    pthread_join(a, NULL);
    return output - 144;
}
