// run: exit 0
// stdout: 1 3 4 5 7 9
// verdict: TRUE

#include <stdio.h>
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };

static void insert(struct tree **t, int key) {
    while (*t) t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    *t = calloc(1, sizeof **t);
    (*t)->key = key;
}

static void print(const struct tree *t, const char **separator) {
    if (!t) return;
    print(t->left, separator);
    printf("%s%d", *separator, t->key);
    *separator = " ";
    print(t->right, separator);
}

static void destroy(struct tree *t) {
    if (!t) return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void) {
    static const int keys[] = {5, 3, 9, 1, 7, 4};
    struct tree *root = NULL;
    for (int i = 0; i < 6; i++) insert(&root, keys[i]);
    const char *separator = "";
    print(root, &separator);
    printf("\n");
    destroy(root);
    return 0;
}
