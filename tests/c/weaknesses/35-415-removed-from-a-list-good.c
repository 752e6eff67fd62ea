// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define UNLINK(task) task->then = 0
#include "35-415-removed-from-a-list-bad.c"
