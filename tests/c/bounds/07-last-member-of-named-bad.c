// check: valid-bounds
// run: index_out_of_bounds
// verdict: FALSE

// The struct is named and has the length of its type; the padding behind the member is part of it.
struct text {
    int length;
    char letters[2];
};

int main(void) {
    struct text text = {2, {'a', 'b'}};
    volatile int at = 2;
    return text.letters[at] > 0;
}
