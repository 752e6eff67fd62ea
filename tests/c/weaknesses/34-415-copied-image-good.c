// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

#define COPY(pixels) memcpy(malloc(4), pixels, 4)
#include "34-415-copied-image-bad.c"
