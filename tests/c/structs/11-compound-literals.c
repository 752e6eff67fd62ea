// run: exit 0
// verdict: TRUE

#include <assert.h>

struct point { int x, y; };

static int norm(struct point p) { return p.x * p.x + p.y * p.y; }
static int total(const int *v, int n) { return n ? v[0] + total(v + 1, n - 1) : 0; }
static struct point *global = &(struct point){7, 8};

int main(void) {
    assert(norm((struct point){3, 4}) == 25);
    assert(norm((struct point){.y = 2}) == 4);
    assert(total((int[]){1, 2, 3, 4}, 4) == 10);
    struct point *p = &(struct point){.x = 1};
    p->y = 9;
    assert(p->x == 1 && p->y == 9);
    *p = (struct point){p->y, p->x};
    assert(p->x == 9 && p->y == 1);
    global->x++;
    assert(global->x == 8);
    assert((int){5} + sizeof(int[3]) == 17);
    assert((char[]){"abc"}[1] == 'b');
    // One object per evaluation: each round starts from zero again.
    for (int i = 0; i < 3; i++) {
        int *counter = &(int){0};
        assert(++*counter == 1);
    }
    return 0;
}
