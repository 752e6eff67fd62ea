// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-free

// CWE-590: the configuration that is used by default is no block of the heap.
#include <stdlib.h>

#ifndef RELEASE
#define RELEASE(config) free(config)
#endif

extern int __VERIFIER_nondet_int(void);

struct config {
    int port;
};

static struct config defaults = {80};

static struct config *load(int port) {
    if (port <= 0 || port > 65535) return &defaults;
    struct config *config = malloc(sizeof *config);
    config->port = port;
    return config;
}

int main(void) {
    struct config *config = load(__VERIFIER_nondet_int());
    int is_valid = config->port > 0;
    RELEASE(config);
    return !is_valid;
}
