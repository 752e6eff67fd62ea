// run: error
// verdict: FALSE

extern void reach_error(void);
extern int posix_memalign(void **, __SIZE_TYPE__, __SIZE_TYPE__);

int main(void) {
    void *block;
    if (posix_memalign(&block, 64, sizeof(int)) != 0) return 0;
    *(int *)block = 5;
    if (*(int *)block == 5) reach_error();
    return 0;
}
