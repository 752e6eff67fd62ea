// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define CAN_UNDO(log) log->count > 0
#include "11-124-undo-bad.c"
