// outcomes: 0
// verdict: TRUE

// The table has functions of two types. Each is called as what it is, but that takes a look at the tag.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static long long wide(void) { return 1LL << 40; }
static int narrow(void) { return 40; }

struct entry {
    int is_wide;
    void (*function)(void);
};

static struct entry table[2] = {{1, (void (*)(void))wide}, {0, (void (*)(void))narrow}};

int main(void) {
    int at = __VERIFIER_nondet_int() != 0;
    int bits = 0;
    if (table[at].is_wide) {
        for (long long left = ((long long (*)(void))table[at].function)(); left > 1; left /= 2) ++bits;
    } else {
        bits = ((int (*)(void))table[at].function)();
    }
    if (bits != 40) reach_error();
    return 0;
}
