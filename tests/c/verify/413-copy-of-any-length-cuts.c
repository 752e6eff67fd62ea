// outcomes: 0 error
// verdict: FALSE

// The bound is the size of the objects.
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    int from[2] = {1, 2}, to[2] = {3, 4};
    unsigned long length = __VERIFIER_nondet_uchar();
    if (length > sizeof to) return 0;
    memcpy(to, from, length);
    if (to[0] == 1 && to[1] == 4) reach_error();
    return 0;
}
