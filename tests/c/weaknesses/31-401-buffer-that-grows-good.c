// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

#define LET_GO(old) free(old)
#include "31-401-buffer-that-grows-bad.c"
