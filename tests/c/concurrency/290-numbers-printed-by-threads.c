// outcomes: 0
// verdict: TRUE

// A thread prints any number to a text of its own, while main prints another one.

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);

static int printed;

static void *print(void *unused) {
    char text[16];
    snprintf(text, sizeof text, "%d", __VERIFIER_nondet_int());
    printed = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    char text[8];
    pthread_create(&thread, 0, print, 0);
    snprintf(text, sizeof text, "%d", 7);
    pthread_join(thread, 0);
    assert(printed);
    return 0;
}
