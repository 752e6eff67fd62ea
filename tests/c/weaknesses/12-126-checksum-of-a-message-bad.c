// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// CWE-126: the checksum of a message goes by the length that the message itself claims.
#include <stdlib.h>

#ifndef LENGTH
#define LENGTH message->length
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

struct message {
    unsigned char length;
    unsigned char body[7];
};

static unsigned sum(const struct message *message) {
    const unsigned char *byte = (const unsigned char *)message + 1;
    unsigned total = 0;
    for (unsigned i = 0; i < LENGTH; i++) total += byte[i];
    return total;
}

int main(void) {
    struct message *message = calloc(1, sizeof *message);
    message->length = __VERIFIER_nondet_uchar();
    unsigned total = sum(message);
    free(message);
    return total > 255 * 7;
}
