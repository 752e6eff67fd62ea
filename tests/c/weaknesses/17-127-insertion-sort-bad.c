// check: valid-deref
// outcomes: 0 valid-deref

// CWE-127: whoever sorts by insertion looks for a smaller number before the first.
#ifndef STARTS
#define STARTS(array, at) 0
#endif

extern signed char __VERIFIER_nondet_char(void);

static void sort(signed char *array, int length) {
    for (int i = 1; i < length; i++) {
        signed char moving = array[i];
        int at = i;
        while (!(STARTS(array, at)) && array[at - 1] > moving) {
            array[at] = array[at - 1];
            at--;
        }
        array[at] = moving;
    }
}

int main(void) {
    signed char array[3] = {2, 5, 0};
    array[2] = __VERIFIER_nondet_char();
    sort(array, 3);
    return array[0] > array[2];
}
