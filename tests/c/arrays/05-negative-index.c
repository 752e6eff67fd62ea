// run: exit 0
// verdict: TRUE

extern void reach_error(void);

int main(void) {
    int a[9];
    int *middle = a + 4;
    for (int i = -4; i <= 4; i++) middle[i] = i;
    if (a[0] != -4 || a[8] != 4 || middle[-2] != -2) reach_error();
    long long offset = -3;
    if (*(middle + offset) != a[1]) reach_error();
    signed char small = -1;
    if (middle[small] != -1) reach_error();
    int *end = &a[9];
    if (end[-1] != 4) reach_error();
    return 0;
}
