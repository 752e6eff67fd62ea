// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define OWNED input
#include "59-761-cursor-of-a-parser-bad.c"
