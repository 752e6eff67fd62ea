// check: valid-deref,valid-free,valid-memtrack
// run: exit 0

#define FREE_ALL(parts)                \
    while (parts) {                    \
        struct part *freed = parts;    \
        parts = parts->rest;           \
        free(freed);                   \
    }
#include "37-416-freed-while-walking-bad.c"
