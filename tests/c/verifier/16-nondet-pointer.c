// outcomes: 0 1
// verdict: TRUE

extern void *__VERIFIER_nondet_pointer(void);
extern void reach_error(void);

int main(void) {
    void *p = __VERIFIER_nondet_pointer();
    void *q = p;
    if (p != q) reach_error();
    return p != 0;
}
