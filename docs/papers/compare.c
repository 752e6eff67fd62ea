// Section 3.5 of 000: pointers with edges are not null, and equal if these lead to the same.
extern void reach_error(void);
int main(void) {
  int i = 0, j = 0;
  int *p = &i, *q = &i, *r = &j;
  if (p == 0 || p != q || p == r) reach_error();
  return *p + *q + *r;
}
