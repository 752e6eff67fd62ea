// run: exit 0
// verdict: TRUE

// Rounded to nearest, as the compiler rounds constants; what is too large or too small sets errno.

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

int main(void) {
    char *end;
    const char *list = "0.1 -2.5e3x";
    assert(strtod(list, &end) == 0.1 && end == list + 3);
    assert(strtod(end, &end) == -2500 && *end == 'x');
    assert(strtof("16777217", 0) == 16777216.0f && strtod("0x1.8p-1", 0) == 0.75);
    assert(strtod("9007199254740993.5", 0) == 9007199254740994.0 && atof("1e23") == 1e23);
    assert(errno == 0 && isinf(strtod("-1e400", 0)) && errno == ERANGE);
    errno = 0;
    assert(strtod("nothing", &end) == 0 && errno == 0);
    return 0;
}
