// Code sample 11 of 002: two members of one struct.
int main(void) {
  int i = 0, j = 0;
  struct S { int *p; int *q; } st;
  struct S *ptr = &st;
  ptr->p = &i;
  ptr->q = &j;
  return *st.p + *st.q;
}
