// outcomes: 0
// verdict: TRUE

// The address is as aligned as was asked for.
extern void reach_error(void);
extern int posix_memalign(void **, __SIZE_TYPE__, __SIZE_TYPE__);
extern void *aligned_alloc(__SIZE_TYPE__, __SIZE_TYPE__);

int main(void) {
    void *block;
    if (posix_memalign(&block, 64, 8) != 0) return 0;
    if ((__SIZE_TYPE__)block % 64 != 0) reach_error();
    block = aligned_alloc(32, 32);
    if ((__SIZE_TYPE__)block % 32 != 0) reach_error();
    return 0;
}
