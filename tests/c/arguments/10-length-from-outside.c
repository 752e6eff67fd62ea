// check: valid-arguments
// outcomes: 0 overlapping_copy
// verdict: FALSE

// Only a length above the distance makes the copies overlap.
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char buffer[12] = {0};
    unsigned length = __VERIFIER_nondet_uchar();
    if (length <= 5) memcpy(buffer + 4, buffer, length);
    return 0;
}
