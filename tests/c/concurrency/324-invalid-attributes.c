// run: exit 0
// verdict: TRUE

// Values that no attribute has are refused, and change nothing; a mutex that is free is locked whatever the time.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;

int main(void) {
    pthread_attr_t attr;
    pthread_condattr_t condattr;
    struct timespec time = {0, -1};
    int state;
    pthread_attr_init(&attr);
    assert(pthread_attr_setstacksize(&attr, 1) == EINVAL);
    assert(pthread_attr_setdetachstate(&attr, 5) == EINVAL);
    pthread_attr_getdetachstate(&attr, &state);
    assert(state == PTHREAD_CREATE_JOINABLE);
    pthread_condattr_init(&condattr);
    assert(pthread_condattr_setclock(&condattr, 77) == EINVAL);
    assert(pthread_mutex_timedlock(&mutex, &time) == 0);
    assert(pthread_mutex_timedlock(&mutex, &time) == EINVAL);
    assert(pthread_cond_timedwait(&cond, &mutex, &time) == EINVAL);
    assert(sem_init(&sem, 0, 0x80000000u) == -1 && errno == EINVAL);
    sem_init(&sem, 0, 0x7fffffff);
    assert(sem_post(&sem) == -1 && errno == EOVERFLOW);
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    return 0;
}
