// check: valid-deref
// outcomes: 0 1 2 3 valid-deref

// CWE-476: a key that is in no row of a table is looked up, too.
#ifndef VALUE
#define VALUE(row) row->value
#endif

extern int __VERIFIER_nondet_int(void);

struct row {
    int key, value;
};

static const struct row rows[] = {{10, 1}, {20, 2}, {30, 3}};

static const struct row *find(int key) {
    for (int i = 0; i < 3; i++)
        if (rows[i].key == key) return &rows[i];
    return 0;
}

int main(void) {
    const struct row *row = find(__VERIFIER_nondet_int());
    return VALUE(row);
}
