// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define GIVE_UP(request) *request = 0
#include "33-415-failed-request-bad.c"
