static int state = 100;
static int helper(int x) { return x * state++; }

int other_step(int x) { return helper(x); }
int *other_state(void) { return &state; }
