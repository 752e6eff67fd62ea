// run: exit 0
// stdout: constructor
// stdout: main 5
// stdout: destructor
// verdict: TRUE

#include <stdio.h>

static int ready;

__attribute__((constructor)) static void before(void) {
    ready = 5;
    printf("constructor\n");
}

__attribute__((destructor)) static void after(void) { printf("destructor\n"); }

int main(void) {
    printf("main %d\n", ready);
    return 0;
}
