// The first optimisation of 003 takes for granted that nobody does this: an int is read as a float.
extern void reach_error(void);
union word { int number; float value; };
int main(void) {
  union word *w = &(union word){ .number = 0 };
  w->value = 1.0f;
  if (w->number != 0x3f800000) reach_error();
  return 0;
}
