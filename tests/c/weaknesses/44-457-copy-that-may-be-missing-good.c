// check: valid-free
// outcomes: 0

#define NOTHING = {0}
#include "44-457-copy-that-may-be-missing-bad.c"
