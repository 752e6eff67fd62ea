// outcomes: 0
// verdict: TRUE

// Words, constants to memory of one's own, and what is done in an atomic section.
#include <pthread.h>
#include <string.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int *shared;
static int number;
static char text[24];

static void *set(void *arg) {
    char own[32];
    int *pointer = &number;
    memcpy(own, "a text that is longer than words", 32);
    memcpy(&shared, &pointer, sizeof shared);
    __VERIFIER_atomic_begin();
    memcpy(text, own, 20);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    int *seen = shared;
    if (seen && seen != &number) reach_error();
    pthread_join(thread, 0);
    if (shared != &number || text[2] != 't') reach_error();
    return 0;
}
