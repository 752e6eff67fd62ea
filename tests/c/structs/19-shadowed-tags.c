// run: exit 0
// verdict: TRUE

// A tag declared in an inner scope hides the outer one (C11 6.7.2.3).
#include <assert.h>

struct s { int a; };
typedef struct s S;

static int size(void) {
    struct s { char b[3]; };
    struct s local = {"ab"};
    S outer = {5};
    return sizeof local + outer.a;
}

int main(void) {
    assert(size() == 8);
    assert(sizeof(struct s) == 4);
    {
        struct s;
        struct pair { struct s *p; };
        struct s { struct pair back; long long x; };
        struct s v = {{&v}, 3};
        assert(v.back.p->x == 3);
    }
    int S = 2;
    assert(S == 2 && sizeof S == 4);
    return 0;
}
