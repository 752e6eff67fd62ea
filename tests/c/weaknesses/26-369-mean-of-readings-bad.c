// check: valid-arithmetic
// outcomes: 0 division_by_zero

// CWE-369: the mean of the readings in a range is asked where none is in it.
#ifndef MEAN
#define MEAN(sum, count) (sum / count)
#endif

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = 0, count = 0;
    for (int i = 0; i < 3; i++) {
        int reading = __VERIFIER_nondet_int();
        if (reading < 0 || reading > 50) continue;
        sum += reading;
        count++;
    }
    return MEAN(sum, count) > 50;
}
