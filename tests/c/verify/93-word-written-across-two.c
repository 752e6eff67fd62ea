// outcomes: 0 error
// verdict: FALSE

// Both accesses are of four bytes, but the write need not lie on a word: it may change half of each of two.
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned *words = malloc(16);
    unsigned ones = 0xffffffffu;
    words[0] = words[1] = words[2] = words[3] = 0;
    int place = __VERIFIER_nondet_int(), word = __VERIFIER_nondet_int();
    if (place < 0 || place > 12 || word < 0 || word > 3) return 0;
    memcpy((unsigned char *)words + place, &ones, 4);
    if (words[word] != 0 && words[word] != ones) reach_error();
    return 0;
}
