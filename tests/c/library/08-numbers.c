// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(abs(-7) == 7 && abs(7) == 7 && labs(-8l) == 8 && llabs(-9ll) == 9);
    assert(atoi("42") == 42 && atoi("  -17xyz") == -17 && atoi("+5") == 5 && atoi("none") == 0);
    assert(atol("-100000") == -100000 && atoll("4294967296") == 4294967296ll);
    char *end;
    assert(strtol("0x1f rest", &end, 0) == 31 && *end == ' ');
    assert(strtol("077", NULL, 0) == 63 && strtol("z", NULL, 36) == 35);
    assert(strtoul("12abc", &end, 10) == 12 && *end == 'a');
    div_t d = div(-7, 2);
    assert(d.quot == -3 && d.rem == -1);
    return 0;
}
