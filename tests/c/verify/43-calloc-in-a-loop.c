// run: exit 0
// verdict: TRUE

extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 3; i++) {
        int *p = calloc(2, sizeof(int));
        if (p[0] != 0 || p[1] != 0) reach_error();
        p[1] = 5;
        free(p);
    }
    return 0;
}
