// Whether the store through q reaches j depends on the order of assignments.
extern void reach_error(void);
int main(void) {
  int j, k, *q;
  j = 1;
  q = &j;
  *q = 2;
  k = 42;
  q = &k;
  *q = 7;
  if (j != 2) reach_error();
  return k;
}
