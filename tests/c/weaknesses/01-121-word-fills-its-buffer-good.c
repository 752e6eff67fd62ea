// check: valid-deref
// outcomes: 0

// Room for the end is kept.
#define ROOM (WIDTH - 1)
#include "01-121-word-fills-its-buffer-bad.c"
