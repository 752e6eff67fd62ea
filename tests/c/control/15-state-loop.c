// run: error
// verdict: FALSE

// The error needs the states in the order 0, 1, 2, 1, 3.
extern void reach_error(void);

int main(void) {
    int state = 0, visits = 0;
    for (int step = 0; step < 20; step++) {
        switch (state) {
        case 0: state = 1; break;
        case 1:
            visits++;
            state = visits == 2 ? 3 : 2;
            break;
        case 2: state = 1; break;
        case 3: reach_error();
        }
    }
    return 0;
}
