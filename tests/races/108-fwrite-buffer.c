// verdict: FALSE
// fwrite reads the buffer
#include <pthread.h>
#include <stdio.h>
static char b[4] = "abc";
static void *t1(void *arg) { return fwrite(b, 1, 3, stdout) ? arg : 0; }
int main(void) { pthread_t t; pthread_create(&t, NULL, t1, 0); b[1] = 1; pthread_join(t, 0); return 0; }
