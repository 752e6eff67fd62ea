// run: unsupported
// verdict: TRUE

// What no operand leads to stays as it is, and inputs in memory do, too.
extern void reach_error(void);

static int counter = 5;

int main(void) {
    int given = 1, other[2] = {2, 3};
    int *kept = &other[1];
    __asm__ volatile("roll $1, (%0)" : : "r"(&given) : "memory");
    __asm__ volatile("cmpl $3, %0" : : "m"(*kept) : "cc");
    if (counter != 5 || *kept != 3) reach_error();
    return 0;
}
