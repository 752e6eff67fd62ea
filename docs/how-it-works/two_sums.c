// Two threads count, each in a variable of its own, and then add to a sum that both share.

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int left, right, sum;
static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;

static void *add_left(void *unused) {
    (void)unused;
    left = 1;
    left = left + 1;
    left = left + 1;
    pthread_mutex_lock(&sum_lock);
    sum = sum + left;
    pthread_mutex_unlock(&sum_lock);
    return NULL;
}

static void *add_right(void *unused) {
    (void)unused;
    right = 1;
    right = right + 1;
    right = right + 1;
    pthread_mutex_lock(&sum_lock);
    sum = sum + right;
    pthread_mutex_unlock(&sum_lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, add_left, NULL);
    pthread_create(&second, NULL, add_right, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(sum == 6);
    return 0;
}
