// A store through a pointer to a pointer moves another pointer.

#include <assert.h>

int main(void) {
    int i = 1, j = 2;
    int *p = &i;
    int *q = &j;
    int **u = &q;

    *u = p;
    *q = 3;
    assert(i == 3 && j == 2);
    return 0;
}
