// <search.h>: what the functions of the program are called with is compared, too.

#include <search.h>

MODEL(tsearch); MODEL(tfind); MODEL(tdelete); MODEL(twalk); MODEL(twalk_r); MODEL(tdestroy);
MODEL(lfind); MODEL(lsearch); MODEL(insque); MODEL(remque); MODEL(hcreate_r); MODEL(hdestroy_r);
MODEL(hsearch_r); MODEL(qsort_r);

static int calls[2][4000], call_count[2], side;
static void called(int x) { calls[side][call_count[side]++] = x; }
static int compare_logged(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    called(x * 100 + y);
    return (x > y) - (x < y);
}
static int compare_down(const void *a, const void *b, void *factor) {
    return *(int *)factor * compare_ints(a, b);
}
static void visit_node(const void *node, VISIT order, int depth) {
    called(**(int **)node);
    called(order * 100 + depth);
}
static void visit_node_r(const void *node, VISIT order, void *closure) {
    called(**(int **)node);
    called(order * 100 + (closure == calls));
}
static void destroy_node(void *key) { called(*(int *)key); }
static void same_calls(const char *what) {
    if (call_count[0] != call_count[1]
        || memcmp(calls[0], calls[1], call_count[0] * sizeof(int))) report(what, "its calls");
    call_count[0] = call_count[1] = 0;
}

static void trees(void) {
    static int keys[20];
    for (int i = 0; i < 20; i++) keys[i] = i;
    for (int round = 0; round < 1000; round++) {
        void *root = 0, *model_root = 0, *a, *b;
        int steps = draw() % 60;
        for (int i = 0; i < steps; i++) {
            int *key = &keys[draw() % 20], kind = draw() % 5;
            side = 0;
            a = kind < 3 ? tsearch(key, &root, compare_logged)
                : kind == 3 ? tdelete(key, &root, compare_logged)
                : tfind(key, &root, compare_logged);
            called(kind == 3 || a == 0 ? a != 0 : **(int **)a);
            twalk(root, visit_node);
            twalk_r(root, visit_node_r, calls);
            side = 1;
            b = kind < 3 ? model_tsearch(key, &model_root, compare_logged)
                : kind == 3 ? model_tdelete(key, &model_root, compare_logged)
                : model_tfind(key, &model_root, compare_logged);
            called(kind == 3 || b == 0 ? b != 0 : **(int **)b);
            model_twalk(model_root, visit_node);
            model_twalk_r(model_root, visit_node_r, calls);
            same_calls("tsearch, tdelete or tfind");
        }
        side = 0; tdestroy(root, destroy_node);
        side = 1; model_tdestroy(model_root, destroy_node);
        same_calls("tdestroy");
    }
}

struct element { struct element *next, *previous; };

static void tables(void) {
    char detail[80];
    for (int round = 0; round < 3000; round++) {
        int a[12], b[12];
        size_t n = draw() % 8, m;
        for (size_t i = 0; i < n; i++) a[i] = b[i] = draw() % 20;
        int key = draw() % 20, factor = draw() % 2 ? 1 : -1;
        m = n;
        snprintf(detail, sizeof detail, "%zu elements, key %d", n, key);
        side = 0; int *x = lfind(&key, a, &n, sizeof *a, compare_logged);
        side = 1; int *y = model_lfind(&key, b, &m, sizeof *b, compare_logged);
        same_calls("lfind");
        SAME("lfind", x ? x - a : -1, y ? y - b : -1);
        x = lsearch(&key, a, &n, sizeof *a, compare_ints);
        y = model_lsearch(&key, b, &m, sizeof *b, compare_ints);
        SAME("lsearch", x - a, y - b);
        SAME("lsearch", n, m);
        qsort_r(a, n, sizeof *a, compare_down, &factor);
        model_qsort_r(b, m, sizeof *b, compare_down, &factor);
        if (memcmp(a, b, n * sizeof *a)) report("lsearch or qsort_r", detail);
    }
    struct element e[6], f[6];
    for (int round = 0; round < 3000; round++) {
        memset(e, 0, sizeof e);
        memset(f, 0, sizeof f);
        int in[6] = {0}, i, j;
        insque(&e[0], 0); model_insque(&f[0], 0);
        in[0] = 1;
        for (int step = 0; step < 10; step++) {
            i = 1 + draw() % 5; j = draw() % 6;
            if (in[i]) remque(&e[i]), model_remque(&f[i]), in[i] = 0;
            else if (in[j]) insque(&e[i], &e[j]), model_insque(&f[i], &f[j]), in[i] = 1;
        }
        for (i = 0; i < 6; i++) {
            SAME("insque or remque", e[i].next ? e[i].next - e : -1, f[i].next ? f[i].next - f : -1);
            SAME("insque or remque", e[i].previous ? e[i].previous - e : -1,
                 f[i].previous ? f[i].previous - f : -1);
        }
    }
    static char names[12][4];
    for (int i = 0; i < 12; i++) sprintf(names[i], "k%d", i);
    for (int round = 0; round < 2000; round++) {
        struct hsearch_data t = {0}, u = {0};
        size_t count = draw() % 12;
        SAME("hcreate_r", hcreate_r(count, &t), model_hcreate_r(count, &u));
        for (int step = 0; step < 30; step++) {
            ENTRY entry = {names[draw() % 12], (void *)(draw() % 100)}, *x, *y;
            ACTION action = draw() % 2 ? ENTER : FIND;
            errno = model_errno = 0;
            SAME("hsearch_r", hsearch_r(entry, action, &x, &t),
                 model_hsearch_r(entry, action, &y, &u));
            SAME("hsearch_r (errno)", errno, model_errno);
            SAME("hsearch_r", x ? x->data : names, y ? y->data : names);
        }
        hdestroy_r(&t); model_hdestroy_r(&u);
    }
}
