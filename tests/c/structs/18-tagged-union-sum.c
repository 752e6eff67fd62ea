// run: exit 0
// verdict: TRUE

#include <assert.h>

struct value {
    enum { INT, REAL, LIST } tag;
    union {
        int i;
        double r;
        struct { const struct value *items; int count; } list;
    } as;
};

static double sum(const struct value *v) {
    double total = 0;
    switch (v->tag) {
    case INT: return v->as.i;
    case REAL: return v->as.r;
    case LIST:
        for (int i = 0; i < v->as.list.count; i++) total += sum(&v->as.list.items[i]);
    }
    return total;
}

int main(void) {
    struct value leaves[] = {{INT, {3}}, {REAL, {.r = 0.5}}};
    struct value inner = {LIST, {.list = {leaves, 2}}};
    struct value items[] = {inner, {INT, {-1}}, inner};
    struct value all = {LIST, {.list = {items, 3}}};
    assert(sum(&all) == 6.0);
    return 0;
}
