// run: exit 0
// stdout: 0: zero one two
// stdout: 1: one two
// stdout: 2: two
// stdout: 3: other two
// stdout: 7: seven
// verdict: TRUE

#include <stdio.h>

static void describe(int n) {
    printf("%d:", n);
    switch (n) {
    case 0:
        printf(" zero");
    case 1:
        printf(" one");
        goto two;
    case 7:
        printf(" seven");
        break;
    default:
        printf(" other");
    case 2:
    two:
        printf(" two");
    }
    printf("\n");
}

int main(void) {
    describe(0);
    describe(1);
    describe(2);
    describe(3);
    describe(7);
    return 0;
}
