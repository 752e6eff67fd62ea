// run: exit 0
// verdict: TRUE

// Attributes of any declaration count, lower priorities come first, and after main the other way
// round.
extern void reach_error(void);

int order;

static void second(void) __attribute__((constructor(300)));
static void check(void) __attribute__((destructor(101)));

__attribute__((constructor)) static void third(void) { order = order * 10 + 3; }
static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(200))) static void first(void) { order = order * 10 + 1; }
__attribute__((constructor)) static void fourth(void) { order = order * 10 + 4; }

static void check(void) {
    if (order != 123456) reach_error();
}
__attribute__((destructor)) static void last(void) { order = order * 10 + 6; }

int main(void) {
    if (order != 1234) reach_error();
    order = order * 10 + 5;
    return 0;
}
