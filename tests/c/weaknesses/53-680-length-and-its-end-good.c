// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define MOST 4096
#include "53-680-length-and-its-end-bad.c"
