// Listing 3.1 of 000: a points-to graph of three edges.
int main(void) {
  int i = 0;
  int *p = &i;
  int *q = &i;
  int **u = &q;
  return *p + **u;
}
