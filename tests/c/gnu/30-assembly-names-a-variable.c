// run: unsupported

// The template itself names a variable: operands do not tell what changes.
extern void reach_error(void);

int counter = 5;

int main(void) {
    __asm__ volatile("incl counter" : : : "memory");
    if (counter != 5) reach_error();
    return 0;
}
