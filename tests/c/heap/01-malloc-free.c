// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(4 * sizeof *p), *q = malloc(sizeof *q);
    assert(p && q && p != q);
    for (int i = 0; i < 4; i++) p[i] = i * i;
    *q = p[3];
    free(p);
    assert(*q == 9);
    free(q);
    free(NULL);
    char *bytes = malloc(3);
    bytes[2] = 'x';
    assert(bytes[2] == 'x');
    free(bytes);
    return 0;
}
