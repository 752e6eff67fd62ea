// run: exit 0
// verdict: TRUE

// Block-scope function and extern declarations name the file-scope entities.
#include <assert.h>

static int value = 3;

int main(void) {
    int later(int);
    assert(later(4) == 7);
    int value = 50;
    {
        extern int shared;
        shared += 2;
        assert(shared == 12 && value == 50);
    }
    typedef int number;
    number n = later((number)1);
    assert(n == 4);
    return 0;
}

int shared = 10;
int later(int x) { return x + value; }
