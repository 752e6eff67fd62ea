// run: exit 0
// verdict: TRUE

#include <assert.h>

#define IS_INT(x) __builtin_types_compatible_p(__typeof__(x), int)
#define PICK(x) __builtin_choose_expr(IS_INT(x), 1, "not int")

static int calls;
static int effect(void) { return ++calls; }

int main(void) {
    int x = 3;
    const int c = 4;
    char *s = "s";
    assert(__builtin_constant_p(5) && __builtin_constant_p(2 * 3 + 1));
    assert(!__builtin_constant_p(effect()) && calls == 0);
    assert(PICK(x) == 1 && PICK(c) == 1);
    assert(PICK(s)[0] == 'n');
    assert(__builtin_choose_expr(0, effect(), 8) == 8 && calls == 0);
    assert(!__builtin_types_compatible_p(int, unsigned));
    assert(__builtin_types_compatible_p(const int, int));
    assert(__builtin_types_compatible_p(int[], int[5]));
    assert(!__builtin_types_compatible_p(char *, const char *));
    int zero_or[__builtin_constant_p(1) ? 2 : -1];
    assert(sizeof zero_or == 8);
    return 0;
}
