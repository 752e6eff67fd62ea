// run: error
// verdict: FALSE

// The output is in the register of the input.
extern void reach_error(void);

int main(void) {
    int from = 7, number = 0, named = 0, same = 2;
    __asm__("" : "=r"(number) : "0"(from));
    __asm__("" : [there] "=r"(named) : [here] "r"(1), "[there]"(from + 1));
    __asm__ volatile("" : "+r"(same) : : "memory");
    if (number == 7 && named == 8 && same == 2) reach_error();
    return 0;
}
