// run: long
// verdict: TRUE

// More than the interpreter's addresses have by themselves.
extern void reach_error(void);
extern void *aligned_alloc(__SIZE_TYPE__, __SIZE_TYPE__);

int main(void) {
    char *block = aligned_alloc(4096, 4096);
    block[0] = 1;
    if (((__SIZE_TYPE__)block & 4095) != 0 || block[0] != 1) reach_error();
    return 0;
}
