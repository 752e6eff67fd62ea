// outcomes: 0 error invalid-memory
// verdict: FALSE

// The caller of the verifier has objects of its own, and may hand out pointers to them.
#include <stdlib.h>

extern void *__VERIFIER_nondet_pointer(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct packet {
    int length;
    int *checksum;
};

int main(void) {
    struct packet *packet = __VERIFIER_nondet_pointer();
    if (packet == NULL || packet->checksum == NULL) return 0;
    packet->length = 7;
    *packet->checksum = 3;
    if (packet->length == 7 && *packet->checksum == 3) reach_error();
    return 0;
}
