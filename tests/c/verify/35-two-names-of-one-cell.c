// run: exit 0
// verdict: TRUE

// Types of the same size and other sign may alias (C11 6.5p7).
extern void reach_error(void);

int main(void) {
    int x = 1;
    unsigned *u = (unsigned *)&x;
    for (int i = 0; i < 3; i++) {
        x = -x;
        *u += 2;
    }
    if (x != 1) reach_error();
    return 0;
}
