// run: error
// verdict: FALSE

#ifndef ROUNDS
#define ROUNDS 5
#endif

extern void reach_error(void);

static int rounds;

int main(void) {
again:
    rounds++;
    if (rounds > 4) reach_error();
    if (rounds < ROUNDS) goto again;
    return 0;
}
