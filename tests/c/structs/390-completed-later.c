// run: exit 0
// verdict: TRUE

#include <assert.h>

// C11 6.9.2p3: the types of tentative definitions are complete at the end of the unit.
union value tentative;
struct pair pairs;

union value { int number; char bytes[12]; };
struct pair { int first, second; };

int main(void) {
    assert(sizeof tentative == 12 && tentative.number == 0 && tentative.bytes[11] == 0);
    pairs.second = 5;
    assert(pairs.first == 0 && pairs.second == 5);
    return 0;
}
