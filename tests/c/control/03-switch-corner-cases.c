// run: exit 0
// verdict: TRUE

#include <assert.h>

static int wide(long long x) {
    switch (x) {
    case 0x100000001ll: return 1;
    case 1: return 2;
    case -1: return 3;
    }
    return 4;
}

static int narrow(unsigned char c) {
    switch (c) {
    case 'a': return 1;
    case 255: return 2;
    default: return 3;
    }
}

int main(void) {
    assert(wide(0x100000001ll) == 1 && wide(1) == 2 && wide(-1) == 3 && wide(0) == 4);
    assert(narrow('a') == 1 && narrow((unsigned char)-1) == 2 && narrow(0) == 3);

    int evaluated = 0;
    switch (evaluated++) {}
    assert(evaluated == 1);

    switch (3) case 3: evaluated = 5;
    assert(evaluated == 5);

    // Statements before the first label are never executed, their declarations are in scope.
    switch (evaluated) {
        int local;
        evaluated = 100;
    case 5:
        local = 6;
        evaluated = local;
    }
    assert(evaluated == 6);

    // A switch without a matching label skips its body.
    switch (evaluated) { case 1: evaluated = 0; }
    assert(evaluated == 6);

    // Case constants are converted to the promoted type of the controlling expression.
    unsigned u = 4294967295u;
    switch (u) {
    case -1: evaluated = 7; break;
    default: evaluated = 8;
    }
    assert(evaluated == 7);
    return 0;
}
