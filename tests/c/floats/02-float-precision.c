// run: exit 0
// verdict: TRUE

// Each float operation rounds to 24 bits; an operand of type double makes it double.
#include <assert.h>

int main(void) {
    float f = 16777216.0f;
    float g = f + 1.0f;
    assert(g == f);
    assert(f + 1.0 == 16777217.0);
    float third = 1.0f / 3;
    assert(third != 1.0 / 3);
    assert((double)third == 0x1.555556p-2);
    float tenth = 0.1f;
    assert(tenth != 0.1);
    assert(tenth == (float)0.1);
    assert(sizeof(tenth + 1) == 4 && sizeof(tenth + 1.0) == 8 && sizeof(0.1f) == 4);
    return 0;
}
