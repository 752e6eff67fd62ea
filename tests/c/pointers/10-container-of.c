// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stddef.h>

#define container_of(ptr, type, member)                            \
    ({                                                             \
        const __typeof__(((type *)0)->member) *member_ = (ptr);    \
        (type *)((char *)member_ - offsetof(type, member));        \
    })

struct link { struct link *next; };
struct item {
    char tag;
    int value;
    struct { short pad; struct link link; } inner;
};

static int sum(struct link *l) {
    int total = 0;
    for (; l; l = l->next) total += container_of(l, struct item, inner.link)->value;
    return total;
}

int main(void) {
    struct item a = {'a', 1, {0, {0}}}, b = {'b', 20, {0, {&a.inner.link}}};
    assert(container_of(&b.inner.link, struct item, inner.link) == &b);
    assert(container_of(b.inner.link.next, struct item, inner.link)->tag == 'a');
    assert(sum(&b.inner.link) == 21);
    return 0;
}
