// run: exit 0
// verdict: TRUE

extern void *malloc(__SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);
extern void reach_error(void);

int main(void) {
    int *p = malloc(2 * sizeof(int));
    p[0] = 3;
    p[1] = 4;
    p = realloc(p, 4 * sizeof(int));
    p[2] = 5;
    if (p[0] + p[1] + p[2] != 12) reach_error();
    return 0;
}
