// outcomes: 0
// verdict: TRUE

// Two writes through pointers that never meet: one order stands for both.
#include <assert.h>
#include <pthread.h>

static int cells[2];

static void *write_cell(void *arg) {
    int *cell = arg;
    *cell = 1;
    *cell = *cell + 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, write_cell, &cells[0]);
    pthread_create(&two, NULL, write_cell, &cells[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(cells[0] + cells[1] == 4);
    return 0;
}
