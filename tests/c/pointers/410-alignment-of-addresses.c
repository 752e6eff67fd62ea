// run: exit 0
// verdict: TRUE

// Addresses are multiples of the alignment of their objects, and those of blocks of 16.
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);
typedef __UINTPTR_TYPE__ uintptr;

static int global;
static struct {
    char c;
    short s;
} pair;

static int low_bits(void *p, int mask) { return (uintptr)p & mask; }

int main(void) {
    int local = 1, *block = malloc(sizeof *block);
    if (((uintptr)&local & 3) != 0) reach_error();
    if ((uintptr)&global % 4 != 0) reach_error();
    if (((uintptr)&pair.s & 1) != 0) reach_error();
    if (low_bits(&local, 3) || low_bits(&pair.s, 1)) reach_error();
    if (((uintptr)block & 15) != 0) reach_error();
    if ((((uintptr)block + 1) & 15) != 1) reach_error();
    return 0;
}
