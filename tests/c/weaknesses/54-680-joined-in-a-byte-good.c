// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define LENGTH unsigned
#include "54-680-joined-in-a-byte-bad.c"
