// Code sample 9 of 002: the second assignment undoes the first.
int main(void) {
  int i = 0, j = 0, *p;
  p = &i;
  p = &j;
  return *p + i;
}
