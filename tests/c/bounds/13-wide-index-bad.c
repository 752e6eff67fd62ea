// check: valid-bounds
// run: index_out_of_bounds
// verdict: FALSE

// An index whose low bits are small.
struct two {
    char first[4];
    char second[4];
};

int main(void) {
    struct two two = {{0}, {0}};
    unsigned long long at = 1ull << 32 | 1;
    return two.first[at];
}
