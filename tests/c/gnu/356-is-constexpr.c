// run: exit 0
// verdict: TRUE

// C11 6.3.2.3p3: whether something is a null pointer constant depends on how it is written.
#define IS_CONSTANT(x) \
    (sizeof(int) == sizeof(*(8 ? ((void *)((long)(x) * 0l)) : (int *)8)))

enum { FOUR = 4 };
static void function(void) {}

int main(void) {
    int x = 3;
    if (!IS_CONSTANT(1 + 2) || !IS_CONSTANT(FOUR) || !IS_CONSTANT(sizeof x)) return 1;
    if (IS_CONSTANT(x) || IS_CONSTANT(x * 0)) return 2;
    void (*pointer)(void) = function;
    (x ? pointer : (void *)0)();
    (x ? (void *)0 : pointer);
    return !__builtin_constant_p("text");
}
