// outcomes: 0 invalid-memory
// verdict: FALSE

// Somebody else's table may hold the function that it was given.
extern void reach_error(void);

typedef void (*callback)(void);
extern void put(callback function);
extern callback take(void);

static int called;

static void mark(void) { called = 1; }

int main(void) {
    put(mark);
    callback function = take();
    function();
    if (called) reach_error();
    return 0;
}
