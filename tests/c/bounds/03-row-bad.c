// check: valid-bounds
// run: index_out_of_bounds
// verdict: FALSE

// The element exists, but in the next row.
int main(void) {
    int table[3][4] = {{0}};
    for (int column = 0; column <= 4; column++) table[1][column] = column;
    return table[2][0];
}
