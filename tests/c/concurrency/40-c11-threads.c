// outcomes: 9
// verdict: TRUE

#include <threads.h>

static mtx_t lock;
static int x;

static int worker(void *arg) {
    mtx_lock(&lock);
    x += *(int *)arg;
    mtx_unlock(&lock);
    return x > 0 ? 4 : 0;
}

int main(void) {
    thrd_t t;
    int add = 2, result = 0;
    if (mtx_init(&lock, mtx_plain) != thrd_success) return 100;
    if (thrd_create(&t, worker, &add) != thrd_success) return 101;
    mtx_lock(&lock);
    x += 3;
    mtx_unlock(&lock);
    thrd_join(t, &result);
    mtx_destroy(&lock);
    return x + result;
}
