// run: division-by-zero

int main(void) {
    int divisor = 3;
    while (divisor > 0) divisor--;
    return 12 / divisor;
}
