// outcomes: error
// verdict: FALSE

// That 'changes' may be called at any time bars a proof, and no counterexample.
extern void reach_error(void);
extern void when_ready(void (*callback)(void));

static int ready;
static int steps;

static void changes(void) {
    ready = 1;
}

int main(void) {
    when_ready(changes);
    steps++;
    if (steps == 1)
        reach_error();
    return 0;
}
