// outcomes: 10 20 30
// verdict: TRUE

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    int a[3] = {10, 20, 30};
    unsigned i = __VERIFIER_nondet_uint() % 3;
    int before = a[i];
    a[(i + 1) % 3] = 0;
    if (a[i] != before) reach_error();
    return a[i];
}
