// run: exit 0
// verdict: TRUE

// A function chooses at the start, before constructors, what another one is.
static int twice(int x) { return 2 * x; }
static int (*choose(void))(int) { return twice; }
int chosen(int) __attribute__((ifunc("choose")));

static int early;
__attribute__((constructor)) static void use(void) { early = chosen(4); }

int main(void) {
    int (*pointer)(int) = chosen;
    return chosen(3) + pointer(1) + early - 6 - 2 - 8;
}
