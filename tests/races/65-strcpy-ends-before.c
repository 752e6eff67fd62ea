// verdict: TRUE
// strcpy writes no further than the terminating zero.
#include <pthread.h>
#include <string.h>

static char name[8] = "abcdefg";

static void *worker(void *arg) {
    return name[4] ? arg : NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    strcpy(name, "xyz");
    pthread_join(a, NULL);
    return name[0] - 'x';
}
