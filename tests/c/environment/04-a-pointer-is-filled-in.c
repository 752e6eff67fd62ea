// outcomes: 0 invalid-memory
// verdict: FALSE

// What the function leaves in `p` may be the pointer that it was given before.
extern void reach_error(void);
extern void keep(int *place);
extern void fill(int **place);

int main(void) {
    int x = 0, y = 0;
    int *p = &y;
    keep(&x);
    fill(&p);
    x = 0;
    *p = 1;
    if (x == 1) reach_error();
    return 0;
}
