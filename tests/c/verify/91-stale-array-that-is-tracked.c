// outcomes: 0 error
// verdict: FALSE

// The first round's check makes an analysis follow the array; in the second round it is another one.
extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 2; i++) {
        int a[2];
        int *p = a;
        if (i == 0) {
            p[1] = 5;
            if (a[1] != 5) reach_error();
        } else {
            if (a[1] != 5) reach_error();
        }
    }
    return 0;
}
