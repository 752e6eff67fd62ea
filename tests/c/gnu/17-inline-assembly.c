// run: exit 0

int main(void) {
    int x = 1;
    __asm__ volatile("addl $4, %0" : "+r"(x) : : "cc");
    return x - 5;
}
