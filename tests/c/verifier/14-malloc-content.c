// outcomes: 0 1
// verdict: TRUE

// malloc's memory holds any value until written; malloc itself never fails.
extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

int main(void) {
    int *p = malloc(2 * sizeof *p);
    if (!p) reach_error();
    p[0] = 5;
    if (p[0] != 5) reach_error();
    return p[1] != 0;
}
