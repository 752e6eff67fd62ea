// Fig. 1 of 001: c and d lead to different variables, which an input decides.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int a = 0, b = 0;
  _Bool cond = __VERIFIER_nondet_bool();
  int *c = cond ? &a : &b;
  int *d = !cond ? &a : &b;
  *c = 1;
  *d = 2;
  if (a != 1 && b != 1) reach_error();
  return 0;
}
