// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 1

#define SLOT table->last_used
#include "60-761-slot-that-was-found-bad.c"
