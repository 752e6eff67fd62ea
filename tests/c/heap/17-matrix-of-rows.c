// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int rows = 3;
    int **m = malloc(rows * sizeof *m);
    for (int i = 0; i < rows; i++) {
        m[i] = calloc(i + 1, sizeof **m);
        for (int j = 0; j <= i; j++) m[i][j] = j == 0 || j == i ? 1 : m[i - 1][j - 1] + m[i - 1][j];
    }
    assert(m[2][0] == 1 && m[2][1] == 2 && m[2][2] == 1);
    int *t = m[0];
    m[0] = m[2];
    m[2] = t;
    assert(m[0][1] == 2);
    while (rows-- > 0) free(m[rows]);
    free(m);
    return 0;
}
