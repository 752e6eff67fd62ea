// run: exit 0
// stdout: 1 4 9
// stdout: sum 14
// verdict: TRUE

#include <stdio.h>

typedef void visitor(void *context, int value);

static void each(const int *values, int count, visitor *visit, void *context) {
    for (int i = 0; i < count; i++) visit(context, values[i]);
}

static void accumulate(void *context, int value) { *(int *)context += value; }

struct printer { int first; const char *separator; };

static void print(void *context, int value) {
    struct printer *p = context;
    printf("%s%d", p->first ? "" : p->separator, value);
    p->first = 0;
}

int main(void) {
    const int squares[] = {1, 4, 9};
    struct printer p = {1, " "};
    each(squares, 3, print, &p);
    int sum = 0;
    each(squares, 3, accumulate, &sum);
    printf("\nsum %d\n", sum);
    return 0;
}
