// run: error
// verdict: FALSE

extern void reach_error(void);

int main(void) {
    void *targets[2] = {&&fine, &&wrong};
    for (int i = 0;; i++) {
        goto *targets[i];
    fine:;
    }
wrong:
    reach_error();
    return 0;
}
