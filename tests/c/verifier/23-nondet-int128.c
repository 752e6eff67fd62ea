// options: --data-model LP64
// run: exit 0
// verdict: TRUE

extern __int128 __VERIFIER_nondet_int128(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);
extern void reach_error(void);

int main(void) {
    __int128 s = __VERIFIER_nondet_int128();
    unsigned __int128 u = __VERIFIER_nondet_uint128();
    if (s >> 127 != 0 && s >> 127 != -1) reach_error();
    if ((u & ~(unsigned __int128)0) != u) reach_error();
    unsigned long long high = u >> 64, low = u;
    if (((unsigned __int128)high << 64 | low) != u) reach_error();
    return 0;
}
