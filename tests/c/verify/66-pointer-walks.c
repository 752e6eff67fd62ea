// run: exit 0
// verdict: TRUE

extern void reach_error(void);

int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    int *p = a, *end = a + 5, sum = 0;
    while (p != end) sum += *p++;
    if (sum != 15 || p - a != 5 || *--p != 5) reach_error();
    return 0;
}
