// run: exit 0
// verdict: TRUE

// Attributes in every position; none but aligned changes the meaning.
#include <assert.h>

typedef unsigned word __attribute__((mode(SI)));
struct __attribute__((may_alias)) s { int a __attribute__((unused)); } __attribute__((aligned(8)));
static int __attribute__((pure)) twice(int x __attribute__((unused))) __attribute__((nonnull));
static int twice(int x) { return 2 * x; }
__attribute__((const)) static int constant(void) { return 3; }
enum e { A __attribute__((deprecated)) = 4, B } __attribute__((packed));
static int table[] __attribute__((section(".data"), aligned(64))) = {1, 2};
extern int weak(void) __attribute__((weak, visibility("default")));
int weak(void) { return 6; }

int main(void) {
    int x __attribute__((unused, aligned(16))) = 1, *__attribute__((unused)) p = &x;
    assert(sizeof(struct s) == 8 && sizeof(word) == 4);
    assert(twice(constant()) == 6 && weak() == 6);
    assert(sizeof(enum e) == 1 && B == 5);
    assert(table[1] == 2);
    switch (x) {
    case 1: x = 2; __attribute__((fallthrough));
    case 2: x += 2;
    }
    assert(x == 4);
out: __attribute__((unused));
    return 0;
}
