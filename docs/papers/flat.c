// Section II-C of 001: a struct with members of different types, through a pointer to nothing in particular.
extern void reach_error(void);
struct flat { char c; float f; };
int main(void) {
  struct flat one;
  void *any = &one;
  ((struct flat *)any)->c = 'x';
  ((struct flat *)any)->f = 2.5f;
  struct flat copy = one;
  copy.c = 'y';
  if (one.c != 'x' || one.f != 2.5f) reach_error();
  return 0;
}
