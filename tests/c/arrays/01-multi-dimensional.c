// run: exit 0
// verdict: TRUE

#include <assert.h>

static int sum(int rows, int m[][3]) {
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 3; j++) total += m[i][j];
    return total;
}

int main(void) {
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    assert(sum(2, m) == 21);
    assert(sizeof m == 24 && sizeof m[0] == 12 && sizeof m[0][0] == 4);
    int(*row)[3] = m;
    assert((*row)[2] == 3 && row[1][0] == 4);
    row++;
    assert(**row == 4 && *(*row + 2) == 6);
    assert((char *)(m + 1) - (char *)m == 12);
    assert(m[1] - m[0] == 3);
    int flat[2][2][2] = {1, 2, 3, 4, 5, 6, 7, 8};
    assert(flat[1][0][1] == 6 && flat[0][1][0] == 3);
    int(*whole)[2][3] = &m;
    assert((*whole)[1][1] == 5);
    m[0][1] += m[1][2];
    assert(m[0][1] == 8);
    return 0;
}
