// verdict: FALSE
// library call handle_thrd
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <math.h>
#include <unistd.h>
#include <sys/time.h>
#include <signal.h>
#include <stdint.h>
#include <errno.h>
#include <ctype.h>
#include <wchar.h>
#include <setjmp.h>
#include <threads.h>
#include <stdatomic.h>
static thrd_t h; static int x(void *a) { return a != 0; }
static void *w(void *arg) { thrd_create(&h, x, 0); return arg; }
int main(void) { pthread_t a;  pthread_create(&a, 0, w, 0); thrd_create(&h, x, 0); pthread_join(a, 0); return 0; }
