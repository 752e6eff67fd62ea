// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define OWNER on_close != release
#include "36-415-closed-by-a-callback-bad.c"
