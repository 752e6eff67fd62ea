// outcomes: 0 error
// verdict: FALSE

// So it is with a variable in registers.
extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 1 && x != 5) reach_error();
        x = 5;
    }
    return 0;
}
