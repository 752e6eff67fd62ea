// outcomes: 0 1
// verdict: TRUE

// The environment says whether there is a summer time, once.
#include <assert.h>
#include <time.h>

int main(void) {
    int before;
    tzset();
    before = daylight;
    assert(daylight == 0 || daylight == 1);
    tzset();
    assert(daylight == before);
    return daylight;
}
