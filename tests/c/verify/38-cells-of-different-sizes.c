// run: exit 0
// verdict: TRUE

extern void reach_error(void);

union cell {
    unsigned long long whole;
    unsigned word[2];
    unsigned short half[4];
    unsigned char byte[8];
};

int main(void) {
    union cell c;
    c.whole = 0x1122334455667788ull;
    c.byte[2] = 0;
    c.half[3] = 0xabcd;
    if (c.word[0] != 0x55007788 || c.word[1] != 0xabcd3344) reach_error();
    c.word[0] = c.half[3];
    if (c.whole != 0xabcd33440000abcdull) reach_error();
    for (int i = 0; i < 8; i++) c.byte[i] = (unsigned char)i;
    if (c.half[1] != 0x0302 || c.whole >> 56 != 7) reach_error();
    return 0;
}
