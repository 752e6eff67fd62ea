// check: valid-deref
// outcomes: 0 valid-deref

// CWE-126: a binary search begins with a range that ends behind the table.
#define COUNT 6
#ifndef HIGHEST
#define HIGHEST COUNT
#endif

extern int __VERIFIER_nondet_int(void);

static const int primes[COUNT] = {2, 3, 5, 7, 11, 13};

static int is_prime(int number) {
    int low = 0, high = HIGHEST;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (primes[middle] == number) return 1;
        if (primes[middle] < number)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return 0;
}

int main(void) {
    int number = __VERIFIER_nondet_int();
    return is_prime(number) && number > 13;
}
