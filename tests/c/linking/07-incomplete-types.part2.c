#include <stdlib.h>

struct stack { int top, items[4]; };

struct stack *stack_new(void) { return calloc(1, sizeof(struct stack)); }
void stack_push(struct stack *s, int x) { s->items[s->top++] = x; }
int stack_pop(struct stack *s) { return s->top ? s->items[--s->top] : -1; }
