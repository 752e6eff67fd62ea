// check: valid-deref
// outcomes: 0 1 2 3

#define VALUE(row) (row ? row->value : 0)
#include "45-476-unknown-key-bad.c"
