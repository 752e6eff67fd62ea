// verdict: FALSE
// write(2) reads the buffer
#include <pthread.h>
#include <unistd.h>
static char b[4] = "abc";
static void *t1(void *arg) { return write(1, b, 3) < 0 ? arg : 0; }
int main(void) { pthread_t t; pthread_create(&t, NULL, t1, 0); b[1] = 1; pthread_join(t, 0); return 0; }
