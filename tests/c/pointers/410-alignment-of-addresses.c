// run: exit 0
// verdict: TRUE

// Addresses are multiples of the alignment of their objects.
extern void reach_error(void);
typedef __UINTPTR_TYPE__ uintptr;

static int global;
static struct {
    char c;
    short s;
} pair;

static int low_bits(void *p, int mask) { return (uintptr)p & mask; }

int main(void) {
    int local = 1;
    if (((uintptr)&local & 3) != 0) reach_error();
    if ((uintptr)&global % 4 != 0) reach_error();
    if (((uintptr)&pair.s & 1) != 0) reach_error();
    if (low_bits(&local, 3) || low_bits(&pair.s, 1)) reach_error();
    if ((((uintptr)&local + 1) & 3) != 1) reach_error();
    return 0;
}
