// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <math.h>

int main(void) {
    double zero = 0.0;
    double nan = zero / zero;
    assert(nan != nan);
    assert(!(nan == nan));
    assert(!(nan < 1.0) && !(nan > 1.0) && !(nan <= nan) && !(nan >= nan));
    assert(nan ? 1 : 0);
    assert(!!nan == 1);
    _Bool b = nan;
    assert(b);
    assert(isnan(nan) && !isnan(1.0));
    float f = (float)nan;
    assert(f != f);
    double inf = 1.0 / zero;
    assert(inf - inf != 0.0);
    assert(isnan(inf * zero));
    return 0;
}
