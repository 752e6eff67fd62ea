// run: unsupported

// What padding holds is unspecified (C11 6.2.6.1p6), but it is compared.
struct padded { char c; int i; };
static struct padded p;

int main(void) {
    struct padded expected = {0, 0}, desired = {1, 2};
    return __atomic_compare_exchange(&p, &expected, &desired, 0, 5, 5);
}
