// check: valid-bounds
// run: index_out_of_bounds
// verdict: FALSE

// The first element of the row past the end is an element of the next member.
struct pair {
    int rows[2][3];
    int other[3];
};

int main(void) {
    struct pair pair = {{{1}}, {2}};
    int row = 2;
    return pair.rows[row][0];
}
