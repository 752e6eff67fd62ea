// run: exit 0
// verdict: TRUE

// Pointers to functions of different arity, kept in one union and cast back before the call.
#include <assert.h>

static int zero(void) { return 1; }
static int one(int a) { return a + 1; }
static int two(int a, int b) { return a * b; }

struct command {
    int arity;
    union { int (*f0)(void); int (*f1)(int); int (*f2)(int, int); } as;
};
typedef void (*generic)(void);

static int call(const struct command *c, int a, int b) {
    switch (c->arity) {
    case 0: return c->as.f0();
    case 1: return c->as.f1(a);
    default: return c->as.f2(a, b);
    }
}

int main(void) {
    struct command commands[] = {{0, {zero}}, {1, {.f1 = one}}, {2, {.f2 = two}}};
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += call(&commands[i], 6, 7);
    assert(sum == 1 + 7 + 42);
    generic g = (generic)two;
    assert(((int (*)(int, int))g)(3, 3) == 9);
    return 0;
}
