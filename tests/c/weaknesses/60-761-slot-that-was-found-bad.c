// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 1 valid-free

// CWE-761: a search leaves the pointer to the slots where it found what it sought.
#include <stdlib.h>

#ifndef SLOT
#define SLOT table->slots
#endif

extern int __VERIFIER_nondet_int(void);

struct table {
    int *slots, *last_used;
};

static _Bool contains(struct table *table, int wanted) {
    table->last_used = table->slots;
    for (int left = 4; left > 1 && *SLOT != wanted; left--) SLOT++;
    return *SLOT == wanted;
}

int main(void) {
    struct table table = {calloc(4, sizeof(int)), NULL};
    table.slots[2] = __VERIFIER_nondet_int();
    _Bool found = contains(&table, 17);
    free(table.slots);
    return found;
}
