// run: exit 0
// verdict: TRUE

extern void reach_error(void);

int main(void) {
    int a[6], sum = 0;
    for (int i = 0; i < 6; i++) a[i] = i * i;
    for (int i = 0; i < 6; i++) sum += a[i];
    if (sum != 55) reach_error();
    return 0;
}
