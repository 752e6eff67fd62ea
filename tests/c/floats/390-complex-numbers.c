// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <complex.h>

double complex global = 1.5 + 2 * I;
static float complex table[3] = {1, 2.0fi, 3 - 1.0fi};
struct { char tag; double _Complex z; } member = {'a', 4};

static int calls;

static double complex next(void) {
    calls++;
    return 1 + 2 * I;
}

static double complex turned(double complex z) {
    z *= I;
    return z;
}

int main(void) {
    assert(sizeof(double complex) == 16 && sizeof(float complex) == 8);
    assert(creal(global) == 1.5 && cimag(global) == 2);
    assert(table[0] == 1 && cimagf(table[1]) == 2 && __imag__ table[2] == -1);
    assert(member.tag == 'a' && member.z == 4.0);

    // Assignments, and parts as lvalues.
    double complex z = 3;
    __imag__ z = 4;
    assert(z == 3 + 4 * I && z != 3);
    __real__ z += 1;
    double *part = &__imag__ z;
    *part = -1;
    assert(__real__ z == 4 && __imag__ z == -1);
    double complex copy = z, *where = &copy;
    z = 0;
    assert(*where == 4 - I && !z && copy);
    assert(((double *)where)[1] == -1);

    // Arithmetic, with real operands too.
    double complex a = 1 + 2 * I, b = 3 - I;
    assert(a + b == 4 + I && a - b == -2 + 3 * I);
    assert(a * b == 5 + 5 * I && a * 2 == 2 + 4 * I && 2 - a == 1 - 2 * I);
    assert(a / 2 == 0.5 + 1 * I);
    assert(-a == -1 - 2 * I && ~a == 1 - 2 * I && conj(a) == ~a && +a == a);
    a += 1;
    b *= a;
    a -= I;
    assert(a == 2 + I && b == 8 + 4 * I);
    assert(a++ == 2 + I && a == 3 + I && --a == 2 + I);

    // Conversions: the imaginary part is dropped, a number is real.
    double real = a;
    int whole = b;
    float complex narrow = a;
    _Bool truth = 2.0i;
    assert(real == 2 && whole == 8 && narrow == 2 + I && truth);
    assert((double)(a * a) == 3 && (float complex)1 == 1);
    assert(sizeof(narrow + 1.0) == 16 && sizeof(narrow * narrow) == 8);

    // Values of operators, calls and blocks.
    assert(next() + next() * next() == -2 + 6 * I && calls == 3);
    assert(turned(turned(a)) == -a);
    double complex chosen = calls > 2 ? a : 1;
    assert(chosen == a && (calls > 5 ? chosen : 7) == 7);
    assert(({ double complex w = a; w + 1; }) == 3 + I);
    assert(__real__ 5 == 5 && __imag__ 5.0f == 0 && __real__ next() == 1);
    assert(__builtin_complex(1.0, 2.0) == 1 + 2 * I);
    return 0;
}
