// run: error
// verdict: FALSE

extern void reach_error(void);

static int a[6];

int main(void) {
    int sum = 0;
    for (int i = 0; i < 5; i++) a[i] = i * i;
    for (int i = 0; i < 6; i++) sum += a[i];
    if (sum != 55) reach_error();
    return 0;
}
