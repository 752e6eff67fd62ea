// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define RELEASE(config) \
    if (config != &defaults) free(config)
#include "50-590-default-configuration-bad.c"
