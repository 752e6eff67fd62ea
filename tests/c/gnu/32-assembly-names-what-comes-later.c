// run: unsupported

// The variable is declared below, and a local one has its name.
extern void reach_error(void);
static int value(void);

int main(void) {
    int counter = 1;
    __asm__ volatile("incl counter" : : : "memory");
    if (value() != 5 || counter != 1) reach_error();
    return 0;
}

int counter = 5;
static int value(void) { return counter; }
