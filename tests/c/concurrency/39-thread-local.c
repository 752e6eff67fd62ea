// outcomes: 11
// verdict: TRUE

// Each thread starts from the initial value; the pointer still leads to main's copy.
#include <pthread.h>

extern void reach_error(void);

static __thread int mine = 5;

static void *worker(void *arg) {
    if (mine != 5) reach_error();
    mine = 100;
    *(int *)arg += 1;
    return &mine == arg ? arg : NULL;
}

int main(void) {
    pthread_t t;
    void *same;
    mine = 10;
    pthread_create(&t, NULL, worker, &mine);
    pthread_join(t, &same);
    if (same) reach_error();
    return mine;
}
