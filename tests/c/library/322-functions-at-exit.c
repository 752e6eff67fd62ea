// run: exit 7
// verdict: TRUE

// The last function registered comes first, then what it registers; the rest is left to a function that calls exit.
#include <assert.h>
#include <stdlib.h>

static int x;

static void first(void) {
    assert(x == 5);
    exit(7);
}

static void last(void) {
    assert(x == 7);
}

static void added(void) {
    x += 4;
}

static void adds(void) {
    assert(x == 1);
    atexit(added);
}

__attribute__((destructor)) static void destructor(void) {
    assert(x == 7);
}

static void sets(void) {
    x = 7;
}

int main(void) {
    x = 1;
    atexit(last);
    atexit(sets);
    atexit(first);
    atexit(adds);
    exit(3);
}
