// run: exit 0
// verdict: TRUE

#include <assert.h>

struct inner { int a, b[2]; };
struct outer { struct inner first, list[2]; char name[6]; int last; };

static struct outer flat = {1, 2, 3, 4, 5, 6, 7, 8, 9, "flat", 10};
static struct outer mixed = {{1, {2}}, {{3}, {4, {5, 6}}}, .last = 7};
static struct outer deep = {.list[1].b[0] = 4, 5, .first.b = {[1] = 9}, .name = {'x', 'y'}};
static struct outer again = {.first = {1, {2, 3}}, .first.a = 8};
static struct inner many[3] = {[1 ... 2] = {.b = {6, 7}}};

int main(void) {
    assert(flat.first.b[1] == 3 && flat.list[0].a == 4 && flat.list[1].b[1] == 9);
    assert(flat.name[3] == 't' && flat.last == 10);
    assert(mixed.first.b[0] == 2 && mixed.first.b[1] == 0 && mixed.list[0].a == 3);
    assert(mixed.list[1].b[1] == 6 && mixed.name[0] == 0 && mixed.last == 7);
    assert(deep.list[1].b[0] == 4 && deep.list[1].b[1] == 5 && deep.first.b[1] == 9);
    assert(deep.name[1] == 'y' && deep.name[2] == 0 && deep.list[0].a == 0);
    assert(again.first.a == 8 && again.first.b[1] == 3);
    assert(many[0].b[0] == 0 && many[1].b[1] == 7 && many[2].b[0] == 6);
    int x = 3;
    struct inner local = {.b = {x, x + 1}, .a = x * 2};
    struct outer o = {.first = local, .list = {local, {1}}};
    assert(o.first.b[1] == 4 && o.list[0].a == 6 && o.list[1].b[0] == 0 && o.last == 0);
    return 0;
}
