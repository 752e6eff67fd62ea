// check: valid-bounds
// outcomes: 0 1 index_out_of_bounds
// verdict: FALSE

extern unsigned char __VERIFIER_nondet_uchar(void);

struct board {
    unsigned char cells[3][3];
    unsigned char next;
};

int main(void) {
    struct board board = {{{0}}, 1};
    unsigned row = __VERIFIER_nondet_uchar(), column = __VERIFIER_nondet_uchar();
    if (row > 2 || column > 3) return 1;
    return board.cells[row][column];
}
