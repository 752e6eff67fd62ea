// Code sample 15 of 002: a high degree of indirection.
extern void reach_error(void);
int main(void) {
  int x = 7, y, *p1, **p2, ***p3, *q1, **q2, ***q3;
  p1 = &x;
  p2 = &p1;
  p3 = &p2;
  q3 = p3;
  q2 = *q3;
  q1 = *q2;
  y = *q1;
  if (x != y) reach_error();
  return 0;
}
