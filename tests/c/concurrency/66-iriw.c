// outcomes: 0 1 2 3 4 5 6 7 8 9 11 12 13 14 15
// verdict: TRUE

// Independent reads of independent writes: the two readers may not disagree on the order of the
// writes (a = 1, b = 0 and c = 1, d = 0 would be 10); every other combination is possible.
#include <pthread.h>

static int x, y, a, b, c, d;

static void *write_x(void *arg) { x = 1; return arg; }
static void *write_y(void *arg) { y = 1; return arg; }
static void *read_xy(void *arg) { a = x; b = y; return arg; }

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, read_xy, NULL);
    pthread_create(&t[1], NULL, write_x, NULL);
    pthread_create(&t[2], NULL, write_y, NULL);
    c = y;
    d = x;
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    return 8 * a + 4 * b + 2 * c + d;
}
