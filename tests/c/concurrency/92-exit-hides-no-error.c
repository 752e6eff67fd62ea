// outcomes: 0 error
// verdict: FALSE

// That one thread ends the program touches nothing, but it keeps the others from all they would do.
#include <pthread.h>
#include <stdlib.h>

extern void reach_error(void);

static int done;

static void *leave(void *arg) {
    exit(0);
    return arg;
}

int main(void) {
    pthread_t leaver;
    pthread_create(&leaver, NULL, leave, NULL);
    done = 1;
    reach_error();
    return 0;
}
