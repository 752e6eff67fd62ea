// run: exit 0
// verdict: TRUE

// The first file only ever sees an incomplete struct.
#include <assert.h>

struct stack;
extern struct stack *stack_new(void);
extern void stack_push(struct stack *, int);
extern int stack_pop(struct stack *);

int main(void) {
    struct stack *s = stack_new(), *t = stack_new();
    stack_push(s, 1);
    stack_push(s, 2);
    stack_push(t, 3);
    assert(stack_pop(s) == 2 && stack_pop(t) == 3 && stack_pop(s) == 1);
    assert(stack_pop(s) == -1);
    return 0;
}
