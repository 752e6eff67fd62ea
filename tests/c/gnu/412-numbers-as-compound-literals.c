// run: exit 0
// verdict: TRUE

// gcc takes a compound literal for its contents where a constant is needed.
#include <assert.h>

int global = (int){42};
static struct pair {
    char a;
    double b;
} pair = {(char)300, (double){2.5}};
static unsigned char narrowed = (unsigned char){259};
static const char *text = (const char *){"ab"};

static int next(void) {
    static int x = (int){42};
    return x++;
}

int main(void) {
    assert(global == 42 && pair.a == 44 && pair.b == 2.5 && narrowed == 3 && text[1] == 'b');
    assert(next() == 42 && next() == 43);
    return 0;
}
