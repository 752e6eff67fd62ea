// run: exit 0
// verdict: TRUE

#include <assert.h>

_Complex int global = 3 + 4i;

int main(void) {
    _Complex signed char small = 0x3i - 2;
    assert(sizeof small == 2 && __alignof__(small) == 1);
    assert(((signed char *)&small)[0] == -2 && ((signed char *)&small)[1] == 3);
    __real__ small = 100;
    small++;
    assert(__real__ small == 101 && __imag__ small == 3);
    (__real__ small)++;
    small -= 2;
    assert((int)small == 100);
    assert(sizeof(small + small) == 2 && sizeof(small + 1) == 8);
    assert(~small == 100 - 3i);

    _Complex int z = global * global;
    assert(z == -7 + 24i);
    assert(z / global == 6 + 1i);
    assert(z / 2 == -3 + 12i);
    // The quotient of the parts of the divisor is rounded first.
    assert((7 + 3i) / (2 + 1i) == 3 + 1i);
    _Complex unsigned u = -1;
    assert(__real__ u == ~0u && __imag__ u == 0);
    assert(z == (_Complex double)z);
    _Complex defaulted = 1;
    assert(sizeof defaulted == sizeof(_Complex double));
    return 0;
}
