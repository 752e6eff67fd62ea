// Code sample 13 of 002: two levels of pointers.
int main(void) {
  int i = 0, j = 0, *p, *q, **r, **s;
  p = &i;
  q = &j;
  r = &p;
  s = &q;
  *r = q;
  *s = *r;
  r = s;
  return **r + *p;
}
