// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-free

// CWE-415: a request that fails is freed where it fails and where requests end.
#include <stdlib.h>

#ifndef GIVE_UP
#define GIVE_UP(request) free(request)
#endif

extern int __VERIFIER_nondet_int(void);

static int *open_request(void) {
    int *status = malloc(sizeof(int));
    *status = __VERIFIER_nondet_int();
    return status;
}

int main(void) {
    int *request = open_request();
    if (*request == 404) goto failed;
    *request = 200;
    goto done;
failed:
    GIVE_UP(request);
done:
    free(request);
    return 0;
}
