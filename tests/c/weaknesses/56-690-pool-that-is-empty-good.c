// check: valid-deref
// outcomes: 0

#define USE(block) \
    if (!block) break; \
    block->owner = 1
#include "56-690-pool-that-is-empty-bad.c"
