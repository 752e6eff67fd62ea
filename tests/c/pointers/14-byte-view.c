// run: exit 0
// verdict: TRUE

// Little-endian bytes of objects seen and changed through unsigned char.
#include <assert.h>

int main(void) {
    unsigned x = 0x04030201;
    unsigned char *b = (unsigned char *)&x;
    assert(b[0] == 1 && b[1] == 2 && b[2] == 3 && b[3] == 4);
    b[3] = 0xff;
    assert(x == 0xff030201);
    assert((int)x < 0);
    short pair[2] = {-2, 0x1234};
    b = (unsigned char *)pair;
    assert(b[0] == 0xfe && b[1] == 0xff && b[2] == 0x34 && b[3] == 0x12);
    double d = 1.0;
    b = (unsigned char *)&d;
    assert(b[7] == 0x3f && b[6] == 0xf0 && b[0] == 0);
    int *target = pair[0] ? (int *)&x : 0, *copy = 0;
    for (unsigned i = 0; i < sizeof target; i++)
        ((char *)&copy)[i] = ((char *)&target)[i];
    assert(copy == (int *)&x && (unsigned)*copy == 0xff030201);
    return 0;
}
