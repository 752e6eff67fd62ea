// Peterson's algorithm: mutual exclusion for two threads with nothing but loads and stores.
//
// Each thread first says that it wants to enter, then gives precedence to the other, and waits
// while the other wants to enter and has precedence. Swap the two lines marked (*) and the claim
// becomes false.
//
// The memory model is sequential consistency; on real hardware the stores need fences.
//
// Expected: Verdict: TRUE

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int wants_to_enter[2] = {0, 0};
static int precedence = 0;
static int inside = 0;

static void critical_section(int me) {
    int other = 1 - me;

    wants_to_enter[me] = 1; // (*)
    precedence = other;     // (*)
    while (wants_to_enter[other] && precedence == other) {
        // Busy waiting: the other thread is inside, or about to be.
    }

    inside++;
    assert(inside == 1);
    inside--;

    wants_to_enter[me] = 0;
}

static void *second_thread(void *unused) {
    (void)unused;
    critical_section(1);
    return NULL;
}

int main(void) {
    pthread_t second;

    pthread_create(&second, NULL, second_thread, NULL);
    critical_section(0);
    pthread_join(second, NULL);
    return 0;
}
