// check: valid-bounds
// run: index_out_of_bounds
// verdict: FALSE

int main(void) {
    int table[2][4] = {{0}}, (*row)[4] = table, at = 4;
    return (*row)[at];
}
