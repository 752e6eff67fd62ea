// check: no-overflow
// run: exit 0
// verdict: TRUE

// What is not evaluated does not overflow.
int main(void) {
    int max = 2147483647;
    int size = sizeof(max + 1);
    if (0 && max + 1) return 1;
    if (max == 0 || max > 0) size += max > 5 ? 0 : max + max;
    return size == 4 || max + 1 ? 0 : 1;
}
