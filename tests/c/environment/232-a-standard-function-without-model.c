// run: unsupported
// verdict: TRUE

// libc knows what it gives, and so no counterexample may choose it. A proof that needs no value may pass it.
extern void reach_error(void);
extern int getdtablesize(void);

int main(void) {
    int count = getdtablesize();
    if (count < 0 && count > 0)
        reach_error();
    if (getdtablesize() < 0)
        reach_error();
    return 0;
}
