// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 1

#define REJECT(setting) return free(setting), 1
#include "29-401-rejected-setting-bad.c"
