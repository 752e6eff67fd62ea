// Code sample 12 of 002: a constraint of each kind.
int main(void) {
  void *i, *p, *q, **r, **s, **t;
  i = 0;
  p = &i;
  r = (void **)&p;
  s = (void **)&q;
  *s = p;
  s = *r;
  t = r;
  return *t == *s;
}
