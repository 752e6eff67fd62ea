// run: exit 0
// stdout: 3f800000 c0490fdb 7f800000 80000000
// stdout: 3ff0000000000000 bfb999999999999a 1
// verdict: TRUE

#include <stdio.h>
#include <string.h>

static unsigned bits32(float f) {
    unsigned u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static unsigned long long bits64(double d) {
    union { double d; unsigned long long u; } pun = {d};
    return pun.u;
}

int main(void) {
    float zero = 0;
    printf("%x %x %x %x\n", bits32(1), bits32(-3.14159265f), bits32(1 / zero), bits32(-zero));
    printf("%llx %llx %llx\n", bits64(1), bits64(-0.1), bits64(5e-324));
    return 0;
}
