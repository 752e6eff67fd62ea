// run: exit 0
// verdict: TRUE

#include <assert.h>

struct shape;
struct methods {
    int (*area)(const struct shape *);
    void (*scale)(struct shape *, int);
};
struct shape { const struct methods *vtable; int w, h; };

static int rectangle_area(const struct shape *s) { return s->w * s->h; }
static int triangle_area(const struct shape *s) { return s->w * s->h / 2; }
static void scale_both(struct shape *s, int k) { s->w *= k, s->h *= k; }

static const struct methods rectangle = {rectangle_area, scale_both};
static const struct methods triangle = {.scale = scale_both, .area = triangle_area};

int main(void) {
    struct shape shapes[2] = {{&rectangle, 3, 4}, {&triangle, 6, 5}};
    int total = 0;
    for (struct shape *s = shapes; s < shapes + 2; s++) {
        s->vtable->scale(s, 2);
        total += s->vtable->area(s);
    }
    assert(total == 48 + 60);
    shapes[0].vtable = shapes[1].vtable;
    assert(shapes[0].vtable->area(shapes) == 24);
    return 0;
}
