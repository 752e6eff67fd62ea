// run: long
// verdict: TRUE

// Up and down between two walls, as often as one likes.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            if (x < 100) x++;
        } else {
            if (x > -100) x--;
        }
        if (x < -100 || x > 100) reach_error();
    }
}
