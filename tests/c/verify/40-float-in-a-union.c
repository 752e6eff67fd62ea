// outcomes: 0
// verdict: TRUE

extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

union bits {
    float f;
    unsigned u;
};

int main(void) {
    union bits b;
    b.f = __VERIFIER_nondet_float();
    if (b.f != b.f && (b.u & 0x7f800000u) != 0x7f800000u) reach_error();
    b.u &= 0x7fffffffu;
    if (b.f < 0.0f) reach_error();
    b.u = 0x3f800000u;
    if (b.f != 1.0f) reach_error();
    return 0;
}
