// run: exit 0
// verdict: TRUE

// Each round's block is another one.
extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

int main(void) {
    int *block[3];
    for (int i = 0; i < 3; i++) {
        block[i] = malloc(sizeof(int));
        *block[i] = i;
    }
    if (block[0] == block[1] || block[1] == block[2]) reach_error();
    if (*block[0] != 0 || *block[1] != 1 || *block[2] != 2) reach_error();
    return 0;
}
