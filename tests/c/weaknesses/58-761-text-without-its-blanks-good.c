// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 1

#define START whole
#include "58-761-text-without-its-blanks-bad.c"
