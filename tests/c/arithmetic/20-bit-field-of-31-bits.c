// check: no-overflow
// run: signed_overflow
// verdict: FALSE

// An unsigned field of 31 bits is promoted to int, which then overflows.
struct fields {
    unsigned c : 31;
};

int main(void) {
    struct fields x = { 2147483647 };
    x.c++;
    return 0;
}
