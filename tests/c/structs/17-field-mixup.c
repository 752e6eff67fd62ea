// run: error
// verdict: FALSE

// The byte-wise copy is one byte short, so the last field stays old.
extern void reach_error(void);

struct header { short id; char kind, version; };

int main(void) {
    struct header from = {7, 'k', 2}, to = {0, 0, 1};
    char *s = (char *)&from, *t = (char *)&to;
    for (unsigned i = 0; i + 1 < sizeof from; i++) t[i] = s[i];
    if (to.id != 7 || to.kind != 'k') return 1;
    if (to.version != 2) reach_error();
    return 0;
}
