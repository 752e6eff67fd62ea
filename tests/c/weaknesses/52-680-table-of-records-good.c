// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define MOST 4095
#include "52-680-table-of-records-bad.c"
