// run: exit 0
// stdout: 1000000000000 -1000000000000
// stdout: deadbeefcafebabe
// stdout: 1410065408 10000000000
// verdict: TRUE

#include <stdio.h>

int main(void) {
    int million = 1000000;
    long long product = (long long)million * million;
    printf("%lld %lld\n", product, -product);
    unsigned long long bits = 0xdeadbeefull << 32 | 0xcafebabeu;
    printf("%llx\n", bits);
    unsigned low = 100000u * 100000u;
    unsigned long long full = 100000ull * 100000u;
    printf("%u %llu\n", low, full);
    return 0;
}
