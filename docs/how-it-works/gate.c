// A sensor reports a water level once, which may be any number; a gate opens above 100.

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

static int level, is_open;

static void *sensor(void *unused) {
    (void)unused;
    level = __VERIFIER_nondet_int();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sensor, NULL);
    if (level > 100) is_open = 1;
    pthread_join(thread, NULL);
    assert(!is_open || level > 100);
    return 0;
}
