// run: exit 0
// verdict: TRUE

// Recursive and mutually recursive struct types, one declared after its use.
#include <assert.h>

struct tree { struct tree *child[2]; struct owner *owner; int weight; };
struct owner { struct tree root; struct owner *self; };

static int weigh(const struct tree *t) {
    return t ? t->weight + weigh(t->child[0]) + weigh(t->child[1]) : 0;
}

int main(void) {
    struct tree leaf = {{0, 0}, 0, 5};
    struct owner o = {{{&leaf, 0}, &o, 2}, &o};
    assert(weigh(&o.root) == 7);
    assert(o.root.owner->self->root.child[0]->weight == 5);
    leaf.owner = o.self;
    leaf.owner->root.child[1] = &leaf;
    assert(weigh(&o.root) == 12);
    return 0;
}
