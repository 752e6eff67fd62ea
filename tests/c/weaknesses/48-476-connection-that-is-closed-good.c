// check: valid-deref
// outcomes: 0

#define USED seen
#include "48-476-connection-that-is-closed-bad.c"
