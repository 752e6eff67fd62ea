// verdict: FALSE
// As 32, but main writes the input after the start.
#include <pthread.h>

static int input, output;

static void *square(void *arg) {
    output = input * input;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, square, NULL);
    input = 12;
    pthread_join(a, NULL);
    return output - 144;
}
