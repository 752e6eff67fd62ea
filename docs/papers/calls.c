// Code sample 10 of 002: what one call returns is not what another returns.
int *id(int *r) { return r; }
int main(void) {
  int i = 0, j = 0;
  int *p = id(&i);
  int *q = id(&j);
  return *p + *q;
}
