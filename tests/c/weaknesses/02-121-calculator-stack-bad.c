// check: valid-deref
// outcomes: 0 valid-deref

// CWE-121: the stack of a calculator takes one number more than it has cells.
#ifndef IS_FULL
#define IS_FULL(stack) (stack->depth > 3)
#endif

extern int __VERIFIER_nondet_int(void);

struct stack {
    int depth;
    int cells[3];
};

static void push(struct stack *stack, int value) {
    if (IS_FULL(stack)) return;
    stack->cells[stack->depth++] = value;
}

static void add(struct stack *stack) {
    if (stack->depth < 2) return;
    stack->depth--;
    stack->cells[stack->depth - 1] ^= stack->cells[stack->depth];
}

int main(void) {
    struct stack stack = {0};
    for (int key = 0; key < 5; key++) {
        if (__VERIFIER_nondet_int() == 0)
            add(&stack);
        else
            push(&stack, key);
    }
    return 0;
}
