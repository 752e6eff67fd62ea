// run: unsupported

// Through a pointer in a register, and beyond an operand: no proof.
extern void reach_error(void);

struct pair {
    int first, second;
};

int main(void) {
    struct pair a = {1, 2}, b = {3, 4};
    __asm__ volatile("roll $1, (%0)" : : "r"(&a) : "memory");
    __asm__ volatile("roll $1, 4+%0" : "+m"(b.first));
    if (a.first != 1 || b.second != 4) reach_error();
    return 0;
}
