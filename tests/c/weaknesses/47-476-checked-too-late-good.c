// check: valid-deref
// outcomes: 0

#define SPEED(wheel) (wheel ? wheel->speed : 0)
#include "47-476-checked-too-late-bad.c"
