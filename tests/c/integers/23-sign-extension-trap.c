// run: error
// verdict: FALSE

// A signed char widened to unsigned compares as a huge number.
extern void reach_error(void);

int main(void) {
    signed char length = -1;
    unsigned size = length;
    if (size > 16) reach_error();
    return 0;
}
