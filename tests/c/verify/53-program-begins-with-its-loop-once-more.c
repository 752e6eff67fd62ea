// run: error
// verdict: FALSE

extern void reach_error(void);

static int rounds;

int main(void) {
again:
    rounds++;
    if (rounds > 4) reach_error();
    if (rounds <= 4) goto again;
    return 0;
}
