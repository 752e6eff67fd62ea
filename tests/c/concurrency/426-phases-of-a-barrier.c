// outcomes: 0
// verdict: TRUE

// In each round both threads have written before either reads.
#include <pthread.h>

extern void reach_error(void);

struct team {
    pthread_barrier_t barrier;
    int done[2];
};

static void work(struct team *team, int me) {
    for (int round = 1; round <= 2; round++) {
        team->done[me] = round;
        pthread_barrier_wait(&team->barrier);
        if (team->done[1 - me] != round) reach_error();
        pthread_barrier_wait(&team->barrier);
    }
}

static struct team team;

static void *other(void *arg) {
    work(&team, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&team.barrier, NULL, 2);
    pthread_create(&t, NULL, other, NULL);
    work(&team, 0);
    pthread_join(t, NULL);
    pthread_barrier_destroy(&team.barrier);
    return 0;
}
