// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define BEFORE(position, delay) ((position + LENGTH - delay) % LENGTH)
#include "18-127-echo-bad.c"
