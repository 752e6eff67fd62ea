// run: exit 0
// verdict: TRUE

// Size, place and life of the object that a pointer leads to are known when the program runs.
#include <stdlib.h>

_Bool __CPROVER_r_ok(const void *, ...);
_Bool __CPROVER_w_ok(const void *, ...);
_Bool __CPROVER_same_object(const void *, const void *);
__SIZE_TYPE__ __CPROVER_OBJECT_SIZE(const void *);
__SIZE_TYPE__ __CPROVER_POINTER_OFFSET(const void *);
_Bool __CPROVER_LIVE_OBJECT(const void *);
_Bool __CPROVER_DYNAMIC_OBJECT(const void *);
extern void reach_error(void);

static void check(int holds) {
    if (!holds) reach_error();
}

static int global[3];

int main(void) {
    char *p = malloc(10), *q = p + 4;
    int local = 0;
    const char *text = "abc";
    check(__CPROVER_OBJECT_SIZE(q) == 10 && __CPROVER_POINTER_OFFSET(q) == 4);
    check(__CPROVER_r_ok(q, 6) && !__CPROVER_r_ok(q, 7) && !__CPROVER_r_ok(p - 1, 1));
    check(__CPROVER_same_object(p, q) && !__CPROVER_same_object(p, &local));
    check(__CPROVER_w_ok(global, 12) && !__CPROVER_w_ok(global + 1, 12));
    check(__CPROVER_r_ok(text, 4) && !__CPROVER_w_ok(text, 1) && !__CPROVER_r_ok((char *)0, 1));
    check(__CPROVER_DYNAMIC_OBJECT(q) && !__CPROVER_DYNAMIC_OBJECT(&local));
    check(__CPROVER_LIVE_OBJECT(p));
    free(p);
    check(!__CPROVER_LIVE_OBJECT(q) && !__CPROVER_r_ok(q, 1) && __CPROVER_OBJECT_SIZE(q) == 10);
    return 0;
}
