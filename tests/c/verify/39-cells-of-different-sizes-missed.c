// run: error
// verdict: FALSE

// The write of a byte in the middle is seen in the word.
extern void reach_error(void);

union cell {
    unsigned word;
    unsigned char byte[4];
};

static union cell c;

int main(void) {
    c.word = 0x01010101;
    for (int i = 0; i < 4; i++) c.byte[i]++;
    if (c.word != 0x01010101) reach_error();
    return 0;
}
