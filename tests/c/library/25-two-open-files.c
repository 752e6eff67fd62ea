// outcomes: 0
// verdict: TRUE

#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *a = fopen("a", "r"), *b = fopen("b", "r");
    if (a == 0 || b == 0) return 0;
    assert(a != b);
    fclose(a);
    fclose(b);
    return 0;
}
