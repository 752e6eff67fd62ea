// options: --data-model LP64
// run: invalid-memory
// An array of variable length ends with its block (C11 6.2.4p7), also where the block is left by a jump, and anew in every
// round of a loop.
extern void reach_error(void);

int main(void) {
    int *last = 0;
    for (int n = 1; n < 3; n++) {
        int a[n];
        a[0] = 1;
        if (n == 2) {
            break;
        }
        last = a;
    }
    if (*last != 1) {
        reach_error();
    }
    return 0;
}
