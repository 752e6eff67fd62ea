// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// CWE-680: the size of a table wraps around, and its last record is outside of it.
#include <stdlib.h>

#ifndef MOST
#define MOST 65535
#endif

extern unsigned short __VERIFIER_nondet_ushort(void);

struct record {
    unsigned id, parent, first, last;
};

static struct record *table(unsigned count) {
    unsigned short size = count * 16;
    return malloc(size);
}

int main(void) {
    unsigned count = __VERIFIER_nondet_ushort();
    if (count == 0 || count > MOST) return 0;
    struct record *records = table(count);
    records[count - 1].id = count;
    free(records);
    return 0;
}
