// run: exit 0
// verdict: TRUE

#include <assert.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static int (*choose(char op))(int, int) { return op == '+' ? add : op == '-' ? &sub : mul; }

struct operation { const char *name; int (*run)(int, int); };
typedef int binary(int, int);

int main(void) {
    int (*f)(int, int) = add;
    assert(f(2, 3) == 5 && (*f)(2, 3) == 5 && (***f)(2, 3) == 5);
    f = &sub;
    assert(f(2, 3) == -1 && f == sub && f != add);
    assert(apply(mul, 4, 5) == 20);
    assert(choose('-')(9, 4) == 5);
    int (*table[])(int, int) = {add, sub, mul};
    int acc = 1;
    for (int i = 0; i < 3; i++) acc = table[i](acc, 3);
    assert(acc == 3);
    struct operation ops[] = {{"add", add}, {.run = mul, .name = "mul"}};
    assert(ops[1].run(6, 7) == 42 && ops[1].name[0] == 'm');
    struct operation *o = ops;
    assert((*o->run)(1, 1) == 2 && (o + 1)->run(1, 1) == 1);
    binary *g = ops[0].run;
    assert(g(1, 2) == 3);
    f = 0;
    assert(!f);
    return 0;
}
