// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define RESULT(error) NULL
#include "39-416-text-of-an-error-bad.c"
