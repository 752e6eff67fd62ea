// run: exit 0
// verdict: TRUE

// All nodes come from one allocation site; a write to one must not be seen in another.
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);

static int *make(int v) {
    int *p = malloc(sizeof *p);
    *p = v;
    return p;
}

int main(void) {
    int *p[3];
    for (int i = 0; i < 3; i++) p[i] = make(i);
    *p[1] = 50;
    if (*p[0] != 0 || *p[1] != 50 || *p[2] != 2) reach_error();
    if (p[0] == p[1] || p[1] == p[2]) reach_error();
    return 0;
}
