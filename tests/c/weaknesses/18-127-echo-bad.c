// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// CWE-127: an echo reads samples that are still to be recorded from before the tape.
#include <stdlib.h>

#ifndef BEFORE
#define BEFORE(position, delay) (position - delay)
#endif
#define LENGTH 4

extern unsigned char __VERIFIER_nondet_uchar(void);

struct tape {
    int position;
    short *samples;
};

static short play(struct tape *tape, short sample, int delay) {
    short echo = tape->samples[BEFORE(tape->position, delay)];
    tape->samples[tape->position] = sample;
    tape->position = (tape->position + 1) % LENGTH;
    return echo;
}

int main(void) {
    struct tape tape = {0, calloc(LENGTH, sizeof(short))};
    int delay = __VERIFIER_nondet_uchar() % LENGTH;
    int played = 0;
    for (short i = 0; i < 5; i++) played |= play(&tape, i, delay);
    free(tape.samples);
    return played < 0;
}
