// run: exit 0
// verdict: TRUE

// C11 6.3.1.2: conversion to _Bool compares with zero, it does not truncate.
#include <assert.h>

int main(void) {
    _Bool b = 256;
    assert(b == 1);
    b = 0.5;
    assert(b == 1);
    b = 0x100000000ll;
    assert(b == 1);
    int x = 0;
    b = &x;
    assert(b == 1);
    b = (char *)0;
    assert(b == 0);
    b = -0.0;
    assert(b == 0);

    b = 1;
    b += 1;
    assert(b == 1);
    b -= 1;
    assert(b == 0);
    b++;
    b++;
    assert(b == 1);
    b--;
    assert(b == 0);
    b = ~b;
    assert(b == 1);
    b <<= 5;
    assert(b == 1);
    assert(sizeof b == 1 && sizeof(b + b) == 4);
    assert((_Bool)2 + (_Bool)4 == 2);
    return 0;
}
