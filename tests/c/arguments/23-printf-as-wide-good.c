// options: --data-model ILP32
// check: valid-arguments
// run: exit 0
// verdict: TRUE
// stdout: 7

#include <stdio.h>

int main(void) {
    int count = 7;
    printf("%ld\n", count);
    return 0;
}
