// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdlib.h>

struct entry { int key; char mark; };

static int compare(const void *key, const void *entry) {
    return *(const int *)key - ((const struct entry *)entry)->key;
}

static struct entry *find(struct entry *t, int n, int key) {
    return bsearch(&key, t, n, sizeof *t, compare);
}

int main(void) {
    struct entry t[] = {{1, 'a'}, {4, 'b'}, {6, 'c'}, {9, 'd'}};
    assert(find(t, 4, 6) == t + 2 && find(t, 4, 1)->mark == 'a' && find(t, 4, 9)->mark == 'd');
    assert(!find(t, 4, 5) && !find(t, 4, 0) && !find(t, 4, 10) && !find(t, 0, 1));
    return 0;
}
