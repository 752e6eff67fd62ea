// run: exit 0
// verdict: TRUE

// Equal numbers, different bits: one must not be put for the other.
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern void reach_error(void);

int main(void) {
    float minus = -0.0f, plus = 0.0f;
    unsigned m, p;
    memcpy(&m, &minus, sizeof m);
    memcpy(&p, &plus, sizeof p);
    if (minus != plus || m == p || m != 0x80000000u) reach_error();
    if (minus == 0.0f) plus = minus;
    memcpy(&p, &plus, sizeof p);
    if (p != 0x80000000u) reach_error();
    return 0;
}
