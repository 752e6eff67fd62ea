// Code sample 14 of 002: values, with what the points-to map of the path says.
extern void reach_error(void);
int id(int r) { return r; }
int main(void) {
  int i, j, *p, *q;
  i = 0;
  j = 1;
  p = &i;
  q = &j;
  *p = 2;
  *q = *p;
  int k = 42;
  q = &k;
  i = *q;
  *p = k;
  *q = id(k);
  if (i != 42 || k != 42) reach_error();
  return 0;
}
