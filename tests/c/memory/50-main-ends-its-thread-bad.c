// check: valid-memtrack
// run: valid-memtrack

// The only thread ends by pthread_exit, and the block is lost with its frame.
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    pthread_exit(0);
}
