// run: exit 0
// verdict: TRUE

// K&R definitions: arguments arrive promoted and are converted back (C11 6.9.1p10).
#include <assert.h>

int add(a, b)
    int a, b;
{
    return a + b;
}

static int narrow(c, f, p)
    char c;
    float f;
    int *p;
{
    *p = c;
    return f * 4;
}

int nothing() { return 9; }

int main() {
    int x = 0;
    assert(add(2, 3) == 5);
    assert(narrow(300, 2.5, &x) == 10);
    assert(x == 44);
    assert(nothing() == 9);
    int (*f)() = add;
    assert(f(4, 5) == 9);
    return 0;
}
