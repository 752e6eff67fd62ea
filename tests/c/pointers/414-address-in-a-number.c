// run: invalid-memory
// verdict: UNKNOWN

// A number that an address went into leads back to a variable after its block: what is read there is undefined.
extern void reach_error(void);
static unsigned long kept;

static void keep(void) {
    int x = 1;
    kept = (unsigned long)&x * 3;
}

int main(void) {
    keep();
    int *p = (int *)(kept / 3);
    if (*p != 1) reach_error();
    return 0;
}
