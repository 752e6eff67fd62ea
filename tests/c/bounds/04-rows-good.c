// check: valid-bounds
// run: exit 12
// verdict: TRUE

int main(void) {
    int table[3][4], (*rows)[4] = table, sum = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) table[row][column] = 1;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) sum += rows[row][column];
    for (int (*row)[4] = table; row != &table[3]; row++) sum += (*row)[3] - row[0][0];
    return sum;
}
