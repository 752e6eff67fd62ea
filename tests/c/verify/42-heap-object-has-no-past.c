// outcomes: 0 error
// verdict: FALSE

extern void *malloc(__SIZE_TYPE__);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 2; i++) {
        int *p = malloc(sizeof(int));
        if (i == 1 && *p != 5) reach_error();
        *p = 5;
        free(p);
    }
    return 0;
}
