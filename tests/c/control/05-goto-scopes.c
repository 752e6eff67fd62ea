// run: exit 0
// verdict: TRUE

// Jumps into and out of blocks; a jump back over a declaration makes a new lifetime.
#include <assert.h>

int main(void) {
    int count = 0, x = 1;
    goto inside;
    {
        int hidden;
        x = 100;
    inside:
        hidden = 5;
        x += hidden;
    }
    assert(x == 6);

again:;
    int fresh = 10;
    fresh += count;
    count++;
    if (count < 4) goto again;
    assert(fresh == 13);

    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 10; j++) {
            if (i * j == 12) {
                x = i * 100 + j;
                goto found;
            }
        }
    }
    x = -1;
found:
    assert(x == 206);
    goto end;
    assert(0);
end:
    return 0;
}
