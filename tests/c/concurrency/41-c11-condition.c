// outcomes: 8
// verdict: TRUE

#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int turn, x;

static int worker(void *arg) {
    mtx_lock(&lock);
    while (turn != 1) cnd_wait(&changed, &lock);
    x = 8;
    turn = 2;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&t, worker, NULL);
    mtx_lock(&lock);
    turn = 1;
    cnd_signal(&changed);
    while (turn != 2) cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    thrd_join(t, NULL);
    return x;
}
