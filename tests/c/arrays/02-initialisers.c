// run: exit 0
// verdict: TRUE

#include <assert.h>

static int zeros[5];
static int braces[3][2] = {{1}, {2, 3}};
static int flat[3][2] = {1, 2, 3};
static int designated[8] = {[2] = 5, 6, [7] = 1, [0] = 9, 8};
static int ranges[10] = {[1 ... 3] = 4, [5 ... 8] = 7, [6] = 0};
static int sized[] = {[4] = 1, 2};

int main(void) {
    for (int i = 0; i < 5; i++) assert(zeros[i] == 0);
    assert(braces[0][0] == 1 && braces[0][1] == 0 && braces[1][1] == 3 && braces[2][0] == 0);
    assert(flat[0][1] == 2 && flat[1][0] == 3 && flat[1][1] == 0);
    assert(designated[0] == 9 && designated[1] == 8 && designated[2] == 5);
    assert(designated[3] == 6 && designated[4] == 0 && designated[7] == 1);
    assert(ranges[0] == 0 && ranges[1] == 4 && ranges[3] == 4 && ranges[4] == 0);
    assert(ranges[5] == 7 && ranges[6] == 0 && ranges[8] == 7 && ranges[9] == 0);
    assert(sizeof sized / sizeof *sized == 6 && sized[5] == 2);
    int local[4] = {1};
    assert(local[0] == 1 && local[3] == 0);
    int mixed[2][3] = {[1] = {[2] = 4}, [0][1] = 5};
    assert(mixed[1][2] == 4 && mixed[0][1] == 5 && mixed[1][0] == 0);
    return 0;
}
