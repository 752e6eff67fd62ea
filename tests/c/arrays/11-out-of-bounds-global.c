// run: invalid-memory

static char table[16];

int main(void) {
    int index = 8;
    index *= 2;
    table[index] = 1;
    return 0;
}
