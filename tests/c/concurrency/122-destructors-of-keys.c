// outcomes: 7
// verdict: TRUE

// What a thread leaves behind under a key is given to the destructor before a join returns, on either way out.
#include <pthread.h>

extern void reach_error(void);

static pthread_key_t key;
static int given[2];

static void collect(void *place) {
    if (pthread_getspecific(key) != NULL) reach_error();
    *(int *)place += 3;
}

static void *returns(void *place) {
    pthread_setspecific(key, place);
    return NULL;
}

static void *leaves(void *place) {
    pthread_setspecific(key, place);
    pthread_exit(place);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    void *result;
    pthread_key_create(&key, collect);
    pthread_create(&one, NULL, returns, &given[0]);
    pthread_create(&two, NULL, leaves, &given[1]);
    pthread_join(one, NULL);
    pthread_join(two, &result);
    if (result != &given[1]) reach_error();
    return given[0] + given[1] + 1;
}
