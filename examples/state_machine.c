// The control loop of a small embedded device: a microwave oven.
//
// In every round of an endless loop the controller reads its inputs, which may be anything, and
// takes one step of a state machine. The claim is a safety rule that a reviewer can state in one
// sentence: the magnetron is never on while the door is open.
//
// Expected: Verdict: TRUE
// Remove the line marked (*) and the verifier shows the sequence of inputs that breaks the rule.

#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

void reach_error(void) { abort(); }

enum state { IDLE, COOKING, PAUSED };

static enum state state = IDLE;
static unsigned char seconds_left = 0;
static _Bool magnetron_on = 0;

static void step(_Bool door_open, _Bool start_pressed) {
    switch (state) {
    case IDLE:
        if (start_pressed && !door_open) {
            seconds_left = 3;
            magnetron_on = 1;
            state = COOKING;
        }
        break;
    case COOKING:
        if (door_open) {
            magnetron_on = 0; // (*)
            state = PAUSED;
        } else if (--seconds_left == 0) {
            magnetron_on = 0;
            state = IDLE;
        }
        break;
    case PAUSED:
        if (start_pressed && !door_open) {
            magnetron_on = 1;
            state = COOKING;
        }
        break;
    }
}

int main(void) {
    for (;;) {
        _Bool door_open = __VERIFIER_nondet_bool();
        _Bool start_pressed = __VERIFIER_nondet_bool();

        step(door_open, start_pressed);
        if (door_open && magnetron_on) reach_error();
    }
}
