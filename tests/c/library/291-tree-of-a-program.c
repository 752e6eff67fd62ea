// run: error
// verdict: FALSE

// A comparison of the program is called while a tree is searched, and fails at the third key.

#include <assert.h>
#include <search.h>

static int keys[] = {3, 1, 2};
static int compared;

static int compare(const void *a, const void *b) {
    compared++;
    assert(compared < 3);
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    void *root = 0;
    for (int i = 0; i < 3; i++) tsearch(&keys[i], &root, compare);
    return 0;
}
