// verdict: FALSE
// adjacent bit-fields of different types
#include <pthread.h>
static struct { unsigned char a : 8; unsigned short b : 16; unsigned c : 8; } g;
static void *t1(void *arg) { g.a = 1; return arg; }
int main(void) { pthread_t a; pthread_create(&a, NULL, t1, NULL); g.c = 3; pthread_join(a, 0); return 0; }
