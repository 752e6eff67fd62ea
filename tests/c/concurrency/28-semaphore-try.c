// outcomes: 0
// verdict: TRUE

#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main(void) {
    sem_t s;
    int value = -1;
    sem_init(&s, 0, 1);
    assert(sem_trywait(&s) == 0);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    assert(sem_getvalue(&s, &value) == 0 && value == 0);
    sem_post(&s);
    sem_post(&s);
    assert(sem_getvalue(&s, &value) == 0 && value == 2);
    assert(sem_wait(&s) == 0);
    return 0;
}
