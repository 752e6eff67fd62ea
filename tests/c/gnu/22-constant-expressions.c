// run: exit 0
// verdict: TRUE

// Enum constants and sizeof in constant expressions of many kinds.
#include <assert.h>

enum size { SMALL = sizeof(short), LARGE = SMALL << 3, FLAG = !!LARGE, MASK = ~0 & 0xf };
struct s { char a[LARGE > 10 ? LARGE : 10]; int f : SMALL + 1; };
static int table[(int)(3.7 * 2)][sizeof(struct s) / 4];

static int select(int x) {
    switch (x) {
    case LARGE: return 1;
    case -SMALL: return 2;
    case (char)257: return 3;
    case 'a' == 97 ? 100 : 200: return 4;
    }
    return 0;
}

int main(void) {
    assert(SMALL == 2 && LARGE == 16 && FLAG == 1 && MASK == 15);
    assert(sizeof(struct s) == 20 && sizeof table == 7 * 5 * 4);
    assert(select(16) == 1 && select(-2) == 2 && select(1) == 3 && select(100) == 4);
    struct s v = {.f = 3};
    assert(v.f == 3);
    return 0;
}
