// run: exit 0
// stdout: 1 2 3
// verdict: TRUE

#define _GNU_SOURCE
#include <assert.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

static int keys[] = {3, 1, 2};

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int compare_by(const void *a, const void *b, void *sign) {
    return *(int *)sign * compare(a, b);
}

static void visit(const void *node, VISIT order, int depth) {
    if (order == leaf) assert(depth == 1);
    if (order == leaf || order == postorder) printf(**(int **)node < 3 ? "%d " : "%d\n", **(int **)node);
}

int main(void) {
    void *root = 0;
    size_t count = 3;
    int key = 2, sign = -1;
    ENTRY one = {"one", &keys[0]}, two = {"two", &keys[1]};
    for (int i = 0; i < 3; i++) tsearch(&keys[i], &root, compare);
    twalk(root, visit);
    assert(tdelete(&key, &root, compare) != 0 && tfind(&key, &root, compare) == 0);

    assert(hcreate(3) && hsearch(one, ENTER) && hsearch(two, FIND) == 0);
    hsearch(two, ENTER);
    assert(hsearch(two, FIND)->data == &keys[1]);
    hdestroy();

    assert(lfind(&key, keys, &count, sizeof *keys, compare) == &keys[2]);
    qsort_r(keys, 3, sizeof *keys, compare_by, &sign);
    assert(keys[0] == 3 && keys[1] == 2 && keys[2] == 1);
    return 0;
}
