// verdict: FALSE
// two threads let pthread_create store into one global
#include <pthread.h>
static pthread_t h;
static void *t1(void *arg) { return arg; }
static void *t2(void *arg) { pthread_create(&h, NULL, t1, 0); return arg; }
int main(void) { pthread_t a, b; pthread_create(&a, NULL, t2, 0); pthread_create(&b, NULL, t2, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
