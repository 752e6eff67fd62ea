// options: --data-model LP64
// run: unsupported

// The number is an address: what is there may change.
extern void reach_error(void);

int main(void) {
    int x = 1;
    __asm__ volatile("roll $1, (%0)" : : "r"((unsigned long)&x) : "memory");
    if (x != 1) reach_error();
    return 0;
}
