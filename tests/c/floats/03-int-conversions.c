// run: exit 0
// verdict: TRUE

// C11 6.3.1.4: float to integer truncates towards zero; integer to float rounds to nearest even.
#include <assert.h>

int main(void) {
    assert((int)3.99 == 3);
    assert((int)-3.99 == -3);
    assert((unsigned)3000000000.5 == 3000000000u);
    assert((long long)-1e15 == -1000000000000000ll);
    assert((unsigned long long)1.8e19 == 18000000000000000000ull);
    assert((signed char)-128.9 == -128);
    assert((unsigned char)255.999 == 255);

    int i = 16777217;
    assert((float)i == 16777216.0f);
    i = 16777219;
    assert((float)i == 16777220.0f);
    assert((double)i == 16777219.0);
    assert((float)4294967295u == 4294967296.0f);
    assert((double)18446744073709551615ull == 18446744073709551616.0);
    assert((double)9007199254740993ll == 9007199254740992.0);
    assert((double)-1 == -1.0 && (double)(unsigned)-1 == 4294967295.0);
    return 0;
}
