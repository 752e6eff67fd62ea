// run: exit 0
// stdout: 10 fffffff5 e 4
// stdout: 32 1 0
// stdout: 0x80000000 0x7fffffff
// verdict: TRUE

#include <stdio.h>

static int population(unsigned x) {
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}

static unsigned reverse(unsigned x) {
    unsigned r = 0;
    for (int i = 0; i < 32; i++, x >>= 1) r = r << 1 | (x & 1);
    return r;
}

int main(void) {
    int a = 10, b = 4;
    printf("%d %x %x %x\n", a, ~a, a | b, a ^ (b | a));
    printf("%d %d %d\n", population(~0u), population(64), population(0));
    printf("0x%x 0x%x\n", reverse(1), ~reverse(1));
    return 0;
}
