// <search.h>: searching and sorting by functions of the program.

//: lfind
void *lfind(const void *key, const void *base, unsigned long *count, unsigned long size,
            int (*compare)(const void *, const void *)) {
    const char *element = base;
    unsigned long i;
    for (i = 0; i < *count; i++) {
        if (compare(key, element) == 0) return (void *)element;
        element += size;
    }
    return 0;
}

//: lsearch
void *lfind(const void *key, const void *base, unsigned long *count, unsigned long size,
            int (*compare)(const void *, const void *));
void *memcpy(void *dst, const void *src, unsigned long size);
void *lsearch(const void *key, void *base, unsigned long *count, unsigned long size,
              int (*compare)(const void *, const void *)) {
    void *found = lfind(key, base, count, size, compare);
    if (found == 0) {
        found = (char *)base + *count * size;
        memcpy(found, key, size);
        ++*count;
    }
    return found;
}

//: insque
struct __ravelin_element { struct __ravelin_element *next; struct __ravelin_element *previous; };
void insque(void *element, void *previous) {
    struct __ravelin_element *e = element;
    struct __ravelin_element *p = previous;
    if (p == 0) {
        e->next = 0;
        e->previous = 0;
        return;
    }
    e->next = p->next;
    e->previous = p;
    if (p->next != 0) p->next->previous = e;
    p->next = e;
}

//: remque
struct __ravelin_linked { struct __ravelin_linked *next; struct __ravelin_linked *previous; };
void remque(void *element) {
    struct __ravelin_linked *e = element;
    if (e->next != 0) e->next->previous = e->previous;
    if (e->previous != 0) e->previous->next = e->next;
}

//: hcreate hdestroy hsearch hcreate_r hdestroy_r hsearch_r
// The table is a list, the newest entry first: which of its entries is looked at first cannot be
// told. It takes as many entries as were asked for, made a prime as glibc does it.
int *__errno_location(void);
void *malloc(unsigned long size);
void free(void *block);
struct __ravelin_entry { char *key; void *data; };
struct __ravelin_item {
    struct __ravelin_entry entry;
    struct __ravelin_item *next;
};
struct __ravelin_table {
    struct __ravelin_item *items;
    unsigned size; /* 0: there is no table */
    unsigned filled;
};
static struct __ravelin_table __ravelin_only_table;
static int __ravelin_is_composite(unsigned n) {
    unsigned divisor;
    for (divisor = 3; divisor * divisor <= n; divisor += 2) {
        if (n % divisor == 0) return 1;
    }
    return 0;
}
int hcreate_r(unsigned long count, struct __ravelin_table *table) {
    unsigned size = count < 3 ? 3 : (unsigned)(count | 1);
    if (table == 0) {
        *__errno_location() = 22; /* EINVAL */
        return 0;
    }
    if (table->size != 0) return 0;
    if (count > 0x7fffffff) {
        *__errno_location() = 12; /* ENOMEM */
        return 0;
    }
    while (__ravelin_is_composite(size)) size += 2;
    table->items = 0;
    table->size = size;
    table->filled = 0;
    return 1;
}
void hdestroy_r(struct __ravelin_table *table) {
    if (table == 0) {
        *__errno_location() = 22; /* EINVAL */
        return;
    }
    while (table->items != 0) {
        struct __ravelin_item *next = table->items->next;
        free(table->items);
        table->items = next;
    }
    table->size = 0;
}
int hsearch_r(struct __ravelin_entry entry, int action, struct __ravelin_entry **result,
              struct __ravelin_table *table) {
    struct __ravelin_item *item;
    for (item = table->items; item != 0; item = item->next) {
        unsigned long i = 0;
        while (entry.key[i] != 0 && entry.key[i] == item->entry.key[i]) i++;
        if (entry.key[i] == item->entry.key[i]) {
            *result = &item->entry;
            return 1;
        }
    }
    *result = 0;
    if (action != 1) {
        *__errno_location() = 3; /* ESRCH */
        return 0;
    }
    if (table->filled == table->size) {
        *__errno_location() = 12; /* ENOMEM */
        return 0;
    }
    item = malloc(sizeof(struct __ravelin_item));
    item->entry = entry;
    item->next = table->items;
    table->items = item;
    table->filled++;
    *result = &item->entry;
    return 1;
}
int hcreate(unsigned long count) {
    return hcreate_r(count, &__ravelin_only_table);
}
void hdestroy(void) {
    hdestroy_r(&__ravelin_only_table);
}
struct __ravelin_entry *hsearch(struct __ravelin_entry entry, int action) {
    struct __ravelin_entry *found = 0;
    hsearch_r(entry, action, &found, &__ravelin_only_table);
    return found;
}

//: tsearch tfind tdelete twalk twalk_r tdestroy
// Red-black trees that get the shape of glibc's, since twalk shows it. The first member of a node is
// the key, as programs expect.
void *malloc(unsigned long size);
void free(void *block);
struct __ravelin_node {
    const void *key;
    struct __ravelin_node *left;
    struct __ravelin_node *right;
    struct __ravelin_node *parent;
    int red;
};
/* Puts a node in the place of another. */
static void __ravelin_tree_replace(struct __ravelin_node **root, struct __ravelin_node *old,
                                   struct __ravelin_node *node) {
    struct __ravelin_node *parent = old->parent;
    if (parent == 0) *root = node;
    else if (parent->left == old) parent->left = node;
    else parent->right = node;
    if (node != 0) node->parent = parent;
}
/* Makes a node the parent of its parent. */
static void __ravelin_tree_lift(struct __ravelin_node **root, struct __ravelin_node *node) {
    struct __ravelin_node *parent = node->parent;
    struct __ravelin_node *moved;
    __ravelin_tree_replace(root, parent, node);
    if (parent->left == node) {
        moved = node->right;
        parent->left = moved;
        node->right = parent;
    } else {
        moved = node->left;
        parent->right = moved;
        node->left = parent;
    }
    if (moved != 0) moved->parent = parent;
    parent->parent = node;
}
static int __ravelin_tree_is_red(const struct __ravelin_node *node) {
    return node != 0 && node->red;
}
/* A node has become red: mends the tree if its parent is red as well. */
static void __ravelin_tree_reddened(struct __ravelin_node **root, struct __ravelin_node *node) {
    struct __ravelin_node *parent = node->parent;
    struct __ravelin_node *above;
    if (!__ravelin_tree_is_red(parent) || parent->parent == 0) return;
    above = parent->parent;
    above->red = 1;
    if ((above->left == parent) != (parent->left == node)) {
        node->red = 0;
        __ravelin_tree_lift(root, node);
        __ravelin_tree_lift(root, node);
    } else {
        parent->red = 0;
        __ravelin_tree_lift(root, parent);
    }
}
void *tfind(const void *key, void *const *rootp, int (*compare)(const void *, const void *)) {
    struct __ravelin_node *node = rootp == 0 ? 0 : *rootp;
    while (node != 0) {
        int order = compare(key, node->key);
        if (order == 0) return node;
        node = order < 0 ? node->left : node->right;
    }
    return 0;
}
void *tsearch(const void *key, void **rootp, int (*compare)(const void *, const void *)) {
    struct __ravelin_node *root;
    struct __ravelin_node *node;
    struct __ravelin_node *parent = 0;
    int order = 0;
    if (rootp == 0) return 0;
    root = *rootp;
    if (root != 0) root->red = 0;
    node = root;
    while (node != 0) {
        order = compare(key, node->key);
        if (order == 0) {
            *rootp = root;
            return node;
        }
        /* On the way down, nodes with two red children are split. */
        if (__ravelin_tree_is_red(node->left) && __ravelin_tree_is_red(node->right)) {
            node->red = 1;
            node->left->red = 0;
            node->right->red = 0;
            __ravelin_tree_reddened(&root, node);
        }
        parent = node;
        node = order < 0 ? node->left : node->right;
    }
    node = malloc(sizeof(struct __ravelin_node));
    node->key = key;
    node->left = 0;
    node->right = 0;
    node->parent = parent;
    node->red = 1;
    if (parent == 0) root = node;
    else if (order < 0) parent->left = node;
    else parent->right = node;
    __ravelin_tree_reddened(&root, node);
    *rootp = root;
    return node;
}
void *tdelete(const void *key, void **rootp, int (*compare)(const void *, const void *)) {
    struct __ravelin_node *root;
    struct __ravelin_node *node;
    struct __ravelin_node *gone;
    struct __ravelin_node *child;
    struct __ravelin_node *parent;
    void *result;
    if (rootp == 0 || *rootp == 0) return 0;
    root = *rootp;
    node = root;
    for (;;) {
        int order = compare(key, node->key);
        if (order == 0) break;
        node = order < 0 ? node->left : node->right;
        if (node == 0) return 0;
    }
    /* POSIX leaves open what is returned for the root; glibc gives the root. */
    result = node->parent == 0 ? node : node->parent;
    gone = node;
    if (node->left != 0 && node->right != 0) {
        gone = node->right;
        while (gone->left != 0) gone = gone->left;
        node->key = gone->key;
    }
    child = gone->left != 0 ? gone->left : gone->right;
    parent = gone->parent;
    __ravelin_tree_replace(&root, gone, child);
    if (!gone->red) {
        /* The paths through `child` have a black node less than others. */
        while (parent != 0 && !__ravelin_tree_is_red(child)) {
            int is_left = parent->left == child;
            struct __ravelin_node *sibling = is_left ? parent->right : parent->left;
            struct __ravelin_node *near;
            struct __ravelin_node *far;
            if (sibling->red) {
                sibling->red = 0;
                parent->red = 1;
                __ravelin_tree_lift(&root, sibling);
                sibling = is_left ? parent->right : parent->left;
            }
            near = is_left ? sibling->left : sibling->right;
            far = is_left ? sibling->right : sibling->left;
            if (!__ravelin_tree_is_red(near) && !__ravelin_tree_is_red(far)) {
                sibling->red = 1;
                child = parent;
                parent = child->parent;
                continue;
            }
            if (!__ravelin_tree_is_red(far)) {
                near->red = parent->red;
                parent->red = 0;
                __ravelin_tree_lift(&root, near);
                __ravelin_tree_lift(&root, near);
            } else {
                sibling->red = parent->red;
                parent->red = 0;
                far->red = 0;
                __ravelin_tree_lift(&root, sibling);
            }
            child = 0;
            break;
        }
        if (child != 0) child->red = 0;
    }
    free(gone);
    *rootp = root;
    return result;
}
/* Calls `visit` before, between and after the subtrees of inner nodes, and once for leaves. */
static void __ravelin_tree_walk(const struct __ravelin_node *root,
                                void (*visit)(const void *, int, int),
                                void (*visit_r)(const void *, int, void *), void *closure) {
    const struct __ravelin_node *node = root;
    const struct __ravelin_node *from = 0;
    int depth = 0;
    if (root == 0 || (visit == 0 && visit_r == 0)) return;
    for (;;) {
        const struct __ravelin_node *next;
        int order;
        if (node->left == 0 && node->right == 0) {
            order = 3;
            next = 0;
        } else if (from == 0) {
            order = 0;
            next = node->left;
        } else if (from == node->right) {
            order = 2;
            next = 0;
        } else {
            order = 1;
            next = node->right;
        }
        for (;;) {
            if (visit != 0) visit(node, order, depth);
            else visit_r(node, order, closure);
            if (order == 0 && next == 0) {
                order = 1;
                next = node->right;
            } else if (order == 1 && next == 0) {
                order = 2;
            } else {
                break;
            }
        }
        if (next != 0) {
            node = next;
            from = 0;
            depth++;
        } else {
            if (node == root) return;
            from = node;
            node = node->parent;
            depth--;
        }
    }
}
void twalk(const void *root, void (*visit)(const void *, int, int)) {
    __ravelin_tree_walk(root, visit, 0, 0);
}
void twalk_r(const void *root, void (*visit)(const void *, int, void *), void *closure) {
    __ravelin_tree_walk(root, 0, visit, closure);
}
void tdestroy(void *root, void (*destroy)(void *)) {
    struct __ravelin_node *node = root;
    while (node != 0) {
        struct __ravelin_node *parent = node->parent;
        if (node->left != 0) {
            node = node->left;
            node->parent->left = 0;
        } else if (node->right != 0) {
            node = node->right;
            node->parent->right = 0;
        } else {
            destroy((void *)node->key);
            free(node);
            node = parent;
        }
    }
}
