// run: long
// verdict: FALSE

// A light that turns red without being amber stays moving.
#ifndef GREEN_OR
#define GREEN_OR RED
#endif

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

enum light { RED, GREEN, AMBER };

int main(void) {
    enum light light = RED;
    int moving = 0;
    while (1) {
        switch (light) {
        case RED:
            if (moving) reach_error();
            if (__VERIFIER_nondet_bool()) light = GREEN;
            break;
        case GREEN:
            moving = 1;
            light = __VERIFIER_nondet_bool() ? AMBER : GREEN_OR;
            break;
        case AMBER:
            moving = 0;
            light = RED;
            break;
        default:
            reach_error();
        }
    }
}
