// outcomes: 0 error
// verdict: FALSE

extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    char from[4] = "abc", to[4] = "xyz";
    memcpy(to, from, __VERIFIER_nondet_uchar() % 5);
    if (to[1] == 'b' && to[2] == 'z') reach_error();
    return 0;
}
