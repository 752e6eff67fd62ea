// Listing 3.2 of 000: `*p` is `i`.
extern void reach_error(void);
int main(void) {
  int i = 1;
  int *p = &i;
  if (*p != 1) reach_error();
  return 0;
}
