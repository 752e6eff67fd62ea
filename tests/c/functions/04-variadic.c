// run: exit 0
// verdict: TRUE

// Default argument promotions: char and short arrive as int, float as double.
#include <assert.h>
#include <stdarg.h>

struct pair { int a, b; };

static double total(const char *kinds, ...) {
    va_list args;
    va_start(args, kinds);
    double sum = 0;
    for (; *kinds; kinds++) switch (*kinds) {
        case 'i': sum += va_arg(args, int); break;
        case 'l': sum += va_arg(args, long long); break;
        case 'd': sum += va_arg(args, double); break;
        case 'p': sum += *va_arg(args, int *); break;
        case 's': { struct pair p = va_arg(args, struct pair); sum += p.a * p.b; break; }
        case 'u': sum += va_arg(args, unsigned); break;
        }
    va_end(args);
    return sum;
}

int main(void) {
    char c = -3;
    short s = 1000;
    float f = 0.25f;
    int x = 8;
    assert(total("") == 0);
    assert(total("i", c) == -3);
    assert(total("iidp", c, s, f, &x) == 1005.25);
    assert(total("lsi", 1ll << 40, (struct pair){6, 7}, 1) == 1099511627776.0 + 43);
    assert(total("uu", -1u, 1u) == 4294967296.0);
    return 0;
}
