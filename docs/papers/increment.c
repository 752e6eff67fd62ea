// Code sample 1 of 002: i changes through ptr.
extern void reach_error(void);
int incr(int j) { j = j + 1; return j; }
int main(void) {
  int i, *ptr;
  i = 0;
  ptr = &i;
  *ptr = incr(i);
  if (i != 1) reach_error();
  return 0;
}
