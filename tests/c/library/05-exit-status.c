// run: exit 254
// stdout: leaving
// verdict: TRUE

// Only the low eight bits of the status are seen from outside; exit works at any depth.
#include <stdio.h>
#include <stdlib.h>

static void dive(int depth) {
    if (depth == 0) {
        printf("leaving\n");
        exit(-2);
    }
    dive(depth - 1);
    printf("never\n");
}

int main(void) {
    dive(5);
    return 1;
}
