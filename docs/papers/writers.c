// Listing 4.1 of 000: two threads write x, one of them through a pointer.
#include <pthread.h>
extern void reach_error(void);
int x = 0;
int *p = &x;
void *thread1(void *arg) { *p = 1; return arg; }
void *thread2(void *arg) { x = 2; return arg; }
int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thread1, 0);
  pthread_create(&t2, 0, thread2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  if (x != 2) reach_error();
  return 0;
}
