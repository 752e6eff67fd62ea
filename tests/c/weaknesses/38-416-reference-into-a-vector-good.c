// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define FIRST(scores) scores
#include "38-416-reference-into-a-vector-bad.c"
