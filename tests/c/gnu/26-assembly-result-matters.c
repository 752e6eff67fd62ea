// run: unsupported

// What it computes is not known: neither answer can be given.
extern void reach_error(void);

int main(void) {
    int x = 1;
    __asm__("roll $1, %0" : "+r"(x) : : "cc");
    if (x != 2) reach_error();
    return 0;
}
