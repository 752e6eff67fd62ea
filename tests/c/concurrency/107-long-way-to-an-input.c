// outcomes: 0 error
// verdict: FALSE

// The error needs an input, many private steps, and one moment.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int key;

static int scrambled(int x) {
    int a = x + 1;
    int b = a * 2;
    int c = b - x;
    int d = c + a;
    int e = d - b;
    int f = e + x;
    int g = f * 3;
    int h = g - e;
    int i = h + 1;
    return i;
}

static void *writer(void *unused) {
    int sum = 0;
    for (int i = 0; i < 9; i++)
        sum += i;
    key = scrambled(sum);
    key = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int guess = __VERIFIER_nondet_int();
    if (guess != 0 && guess == key)
        reach_error();
    return 0;
}
