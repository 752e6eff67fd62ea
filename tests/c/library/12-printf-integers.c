// run: exit 0
// stdout: 42 -42 42 2a 2A 52
// stdout: [   42] [42   ] [00042] [+42] [ 42]
// stdout: 0x2a 052 [  -42] [-0042]
// stdout: -1 4294967295 ff 255 65535
// stdout: -9223372036854775808 18446744073709551615
// stdout: [   7] [7   ] 100%
// stdout: 3 8
// verdict: TRUE

#include <stdio.h>

int main(void) {
    int n = 42;
    printf("%d %i %u %x %X %o\n", n, -n, n, n, n, n);
    printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", n, n, n, n, n);
    printf("%#x %#o [%5d] [%05d]\n", n, n, -n, -n);
    printf("%hhd %u %hhx %hhu %hu\n", 255, -1, 0x1ff, -1, -1);
    printf("%lld %llu\n", -9223372036854775807ll - 1, ~0ull);
    printf("[%*d] [%-*d] %d%%\n", 4, 7, 4, 7, 100);
    printf("%zu %ld\n", sizeof(char[3]), (long)8);
    return 0;
}
