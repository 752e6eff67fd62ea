// check: valid-free
// outcomes: 0 valid-free

// CWE-457: a copy is freed even if none was made.
#include <stdlib.h>

#ifndef NOTHING
#define NOTHING
#endif

extern _Bool __VERIFIER_nondet_bool(void);

struct edit {
    _Bool is_temporary;
    char *copy;
};

static void begin(struct edit *edit, _Bool is_temporary) {
    edit->is_temporary = is_temporary;
    if (is_temporary) edit->copy = malloc(16);
}

int main(void) {
    struct edit edit NOTHING;
    begin(&edit, __VERIFIER_nondet_bool());
    free(edit.copy);
    return 0;
}
