// check: valid-deref
// outcomes: 0

#define DEFAULT_PATH "out.txt"
#include "46-476-option-without-argument-bad.c"
