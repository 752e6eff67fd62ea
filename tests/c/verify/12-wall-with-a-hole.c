// run: long
// verdict: FALSE

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            if (x != 3) x++;
        } else {
            if (x != -2) x += x == 2 ? 2 : -1;
        }
        if (x < -2 || x > 3) reach_error();
    }
}
