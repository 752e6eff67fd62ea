// run: exit 3
// stdout: 1 2
// verdict: TRUE

#include <stdio.h>

static int calls;
static int next(void) { return ++calls; }

int main(void) {
    int first = next();
    printf("%d %d\n", first, next());
    fprintf(stderr, "%d\n", next());
    return calls;
}
