// check: valid-init
// outcomes: 0 1 5
// verdict: TRUE

// Whether there is a value is known by another variable.
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int values[3] = {4, 5, 1}, found = 0, position;
    unsigned wanted = __VERIFIER_nondet_uchar();
    for (int i = 0; i < 3; i++) {
        if (values[i] == (int)wanted) {
            position = i;
            found = 1;
        }
    }
    if (!found) return 5;
    return position > 0;
}
