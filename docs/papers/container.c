// Section 4.2 of 003: the struct around a member is found again.
#include <stddef.h>
#include <stdlib.h>
extern void reach_error(void);
struct B { int a; int b; };
int main(void) {
  struct B *p = calloc(1, sizeof *p);
  if (!p) return 0;
  p->b = 1;
  int *x = &p->a;
  struct B *q = (struct B *)((char *)x - offsetof(struct B, a));
  if (p->b != q->b) reach_error();
  return 0;
}
