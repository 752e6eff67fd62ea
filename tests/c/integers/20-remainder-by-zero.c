// run: division-by-zero

int main(void) {
    unsigned long long divisor = 1ull << 32;
    unsigned cut = (unsigned)divisor;
    return (int)(7u % cut);
}
