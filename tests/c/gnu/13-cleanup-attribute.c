// run: exit 0
// stdout: body
// stdout: release 2
// stdout: release 1
// stdout: release 3
// stdout: result 30
// verdict: TRUE

// Cleanups run in reverse order of declaration when the scope is left, after the return value
// has been computed.
#include <stdio.h>

static void release(int *p) {
    printf("release %d\n", *p);
    *p = 0;
}

static int work(void) {
    {
        int a __attribute__((cleanup(release))) = 1;
        int b __attribute__((__cleanup__(release))) = 2;
        printf("body\n");
    }
    int c __attribute__((cleanup(release))) = 3;
    return c * 10;
}

int main(void) {
    int r = work();
    printf("result %d\n", r);
    return 0;
}
