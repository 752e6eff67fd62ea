// outcomes: 0
// verdict: TRUE

// A function from elsewhere may change what it is given a pointer to, and nothing else.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int send(const char *bytes, int count);

struct log {
    long long position;
};

static struct log *kept;
static char *given;

static void *send_all(void *arg) {
    for (int i = 0; i < 2; i++)
        if (send(given, i))
            break;
    return arg;
}

static void *write_log(void *arg) {
    kept->position = 7;
    assert(kept->position == 7);
    return arg;
}

int main(void) {
    pthread_t one, two;
    kept = malloc(sizeof *kept);
    given = malloc(8);
    if (kept == NULL || given == NULL)
        return 0;
    pthread_create(&one, NULL, send_all, NULL);
    pthread_create(&two, NULL, write_log, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
