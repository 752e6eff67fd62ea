// run: exit 0
// verdict: TRUE

// A later list for the same subobject replaces all of the earlier one (C11 6.7.9p19).
#include <assert.h>

struct pair { int a, b[3]; };
static unsigned char bytes[3][4] = {[0] = {0, 0, 1, 0}, [0] = {7}, [2] = {2}};
static char text[2][6] = {[0] = {[4] = 1}, [0] = "e"};
static struct pair global[2] = {[1] = {1, {2, 3, 4}}, [1] = {5}, [0].b[1] = 6};

int main(void) {
    struct pair local = {.b = {1, 2, 3}, .a = 4, .b = {[1] = 5}};
    assert(bytes[0][0] == 7 && bytes[0][2] == 0 && bytes[1][0] == 0 && bytes[2][0] == 2);
    assert(text[0][0] == 'e' && text[0][4] == 0);
    assert(global[1].a == 5 && global[1].b[0] == 0 && global[1].b[2] == 0);
    assert(global[0].a == 0 && global[0].b[1] == 6);
    assert(local.a == 4 && local.b[0] == 0 && local.b[1] == 5 && local.b[2] == 0);
    return 0;
}
