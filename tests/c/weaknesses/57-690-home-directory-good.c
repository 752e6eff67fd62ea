// check: valid-deref
// outcomes: 0 1

#define HOME(home) (home ? home : "/")
#include "57-690-home-directory-bad.c"
