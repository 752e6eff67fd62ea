// check: valid-init
// run: exit 0
// verdict: TRUE

// Operands that are not evaluated are not read.
int main(void) {
    int x, y, no = 0, yes = 1;
    int size = sizeof x;
    if (no && x > 3) return 1;
    if (!(yes || y)) return 2;
    int z = no ? x : size;
    int w = yes ? z : y + 1;
    return w != 4;
}
