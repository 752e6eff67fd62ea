// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <string.h>

int main(void) {
    int a[4] = {1, 2, 3, 4}, b[4];
    assert(memcpy(b, a, sizeof a) == b);
    assert(memcmp(a, b, sizeof a) == 0);
    b[3] = 5;
    assert(memcmp(a, b, sizeof a) < 0 && memcmp(a, b, 3 * sizeof *a) == 0);
    assert(memset(b, 0xff, sizeof b) == b && b[2] == -1);
    memset(b, 0, 2 * sizeof *b);
    assert(b[1] == 0 && b[2] == -1);
    memset(b, 0x101, 1);
    assert(b[0] == 1);
    unsigned char high = 200, low = 100;
    assert(memcmp(&high, &low, 1) > 0);
    assert(memcmp("a", "b", 0) == 0);
    short parts[2];
    memcpy(parts, &(int){0x00020001}, 4);
    assert(parts[0] == 1 && parts[1] == 2);
    return 0;
}
