// run: unsupported

// What it computes is not known: neither answer can be given.
extern void reach_error(void);

int main(void) {
    int x = 1;
    __asm__("negl %0" : "+r"(x));
    if (x != -1) reach_error();
    return 0;
}
