// run: exit 0
// verdict: TRUE

// A variable that begins again is aligned as it asks, whoever keeps its address.
extern void reach_error(void);
static int *kept;
static char *other;

int main(void) {
    for (int i = 0; i < 3; i++) {
        char bytes[17];
        other = bytes;
        _Alignas(64) int x = i;
        kept = &x;
        if ((unsigned long)kept & 63) reach_error();
    }
    return 0;
}
