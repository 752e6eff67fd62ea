// run: invalid-memory
// verdict: UNKNOWN

// A block that begins again has a new variable: the pointer that is left leads to none (C11 6.2.4p6), though compilers
// often put the new variable where the old one was.
extern void reach_error(void);

int main(void) {
    int *old = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (old && *old != i) reach_error();
        old = &x;
    }
    return 0;
}
