// run: exit 0
// verdict: TRUE

#include <assert.h>

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

static int search(const int *values, int count, int wanted) {
    int index = ({
        int i;
        for (i = 0; i < count; i++)
            if (values[i] == wanted) break;
        if (i == count) return -1;
        i;
    });
    return index;
}

int main(void) {
    int i = 3, j = 5;
    assert(MAX(i++, j++) == 5);
    assert(i == 4 && j == 6);
    assert(MAX(MAX(1, 9), MAX(4, 2)) == 9);
    int values[] = {4, 8, 15};
    assert(search(values, 3, 8) == 1);
    assert(search(values, 3, 7) == -1);
    int y = ({ int x = 1; x <<= 4; x; }) + ({ 2; });
    assert(y == 18);
    while (({ y--; y > 10; })) continue;
    assert(y == 10);
    return 0;
}
