// options: --data-model LP64
// check: valid-init
// run: unsupported
// verdict: TRUE

// The thread has a copy of the variable, to which it gives a value.
static int sum;

int main(void) {
    int i;
    __CPROVER_ASYNC_1: i = 2, sum = i;
    return 0;
}
