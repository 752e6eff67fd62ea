// run: exit 0
// verdict: TRUE

// GNU case ranges, with both ends included, also around zero.
#include <assert.h>

static int classify(int c) {
    switch (c) {
    case '0' ... '9': return 1;
    case 'a' ... 'f':
    case 'A' ... 'F': return 2;
    case -10 ... -1: return 3;
    case 200 ... 2147483647: return 4;
    default: return 0;
    }
}

int main(void) {
    assert(classify('0') == 1 && classify('9') == 1 && classify('5') == 1);
    assert(classify('0' - 1) == 0 && classify('9' + 1) == 0);
    assert(classify('F') == 2 && classify('a') == 2 && classify('G') == 0);
    assert(classify(-10) == 3 && classify(-1) == 3 && classify(-11) == 0 && classify(0) == 0);
    assert(classify(2147483647) == 4 && classify(200) == 4 && classify(100) == 2);
    return 0;
}
