// run: invalid-memory

// Forming a + 4 is fine, reading it is not (C11 6.5.6p8).
int main(void) {
    int a[4] = {1, 2, 3, 4}, sum = 0;
    for (int *p = a; p <= a + 4; p++) sum += *p;
    return sum;
}
