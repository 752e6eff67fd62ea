// check: valid-arithmetic
// outcomes: 0 division_by_zero

// CWE-369: a table has as many buckets as its configuration says, perhaps none.
#ifndef LEAST
#define LEAST 0
#endif

extern unsigned __VERIFIER_nondet_uint(void);

struct table {
    unsigned (*hash)(const struct table *, unsigned);
    unsigned buckets;
};

static unsigned by_remainder(const struct table *table, unsigned key) {
    return key % table->buckets;
}

static void configure(struct table *table, unsigned buckets) {
    table->hash = by_remainder;
    table->buckets = buckets < LEAST ? LEAST : buckets;
}

int main(void) {
    struct table table;
    configure(&table, __VERIFIER_nondet_uint());
    unsigned bucket = table.hash(&table, 42);
    return bucket > 42;
}
