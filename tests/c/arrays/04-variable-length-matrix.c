// run: exit 0
// verdict: TRUE

#include <assert.h>

static int trace(int n, int m[n][n]) {
    int t = 0;
    for (int i = 0; i < n; i++) t += m[i][i];
    return t;
}

static int corner(int rows, int columns, int m[rows][columns]) {
    return m[rows - 1][columns - 1];
}

int main(void) {
    int n = 3, fixed[2][2] = {{1, 2}, {3, 4}};
    int m[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) m[i][j] = 10 * i + j;
    assert(trace(n, m) == 33);
    assert(trace(2, fixed) == 5);
    assert(corner(3, 3, m) == 22);
    assert(sizeof m == 36 && sizeof m[0] == 12);
    typedef int row[n];
    n = 50;
    row r;
    assert(sizeof r == 12);
    row *second = &m[1];
    assert((*second)[2] == 12);
    return 0;
}
