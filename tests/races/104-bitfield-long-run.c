// verdict: FALSE
// a maximal sequence of bit-fields is one location, whatever its storage units
#include <pthread.h>
static struct { unsigned a : 31; unsigned b : 31; unsigned c : 31; } g;
static void *t1(void *arg) { g.a = 1; return arg; }
int main(void) { pthread_t a; pthread_create(&a, NULL, t1, NULL); g.c = 3; pthread_join(a, 0); return 0; }
