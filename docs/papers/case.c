// Fig. 3.5 of 004: x and y matter as long as the check is to come.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y;
void *second(void *arg) {
  __VERIFIER_atomic_begin();
  y = x;
  __VERIFIER_atomic_end();
  x = 2;
  return arg;
}
int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, second, 0);
  y = 1;
  if (y != 1) reach_error();
  return 0;
}
