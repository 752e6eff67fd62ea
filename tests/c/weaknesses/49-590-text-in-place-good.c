// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define IS_LONG(string) string->text != string->in_place
#include "49-590-text-in-place-bad.c"
