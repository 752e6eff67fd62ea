// run: exit 0
// verdict: TRUE

// Values stay in the range of their type whatever is drawn.
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern __SIZE_TYPE__ __VERIFIER_nondet_size_t(void);
extern unsigned __VERIFIER_nondet_u32(void);
extern void reach_error(void);

int main(void) {
    int c = __VERIFIER_nondet_char(), uc = __VERIFIER_nondet_uchar();
    int s = __VERIFIER_nondet_short(), us = __VERIFIER_nondet_ushort();
    if (c < -128 || c > 127 || uc < 0 || uc > 255) reach_error();
    if (s < -32768 || s > 32767 || us < 0 || us > 65535) reach_error();
    long long i = __VERIFIER_nondet_int(), u = __VERIFIER_nondet_uint();
    if (i < -2147483648ll || i > 2147483647ll || u < 0 || u > 4294967295ll) reach_error();
    long l = __VERIFIER_nondet_long();
    unsigned long ul = __VERIFIER_nondet_ulong();
    if ((long long)l != l || (unsigned long)ul != ul) reach_error();
    unsigned long long wide = __VERIFIER_nondet_ulonglong() / 2;
    if ((long long)wide < 0) reach_error();
    if (__VERIFIER_nondet_longlong() >> 63 > 0) reach_error();
    if (__VERIFIER_nondet_size_t() + 0u < 0u) reach_error();
    if ((__VERIFIER_nondet_u32() & 1) > 1) reach_error();
    return 0;
}
