// run: error
// stdout: before
// verdict: FALSE

#include <assert.h>
#include <stdio.h>

int main(void) {
    printf("before\n");
    fflush(stdout);
    int x = 2;
    assert(x == 3 && "two is not three");
    printf("after\n");
    return 0;
}
