// check: no-overflow
// options: --data-model LP64
// run: signed_overflow
// verdict: FALSE

int main(void) {
    __int128 x = (__int128) 1 << 126;
    long long wide = 9223372036854775807LL;
    __int128 product = (__int128) wide * wide;
    x = x - 1 + x;
    if (product <= 0) return 1;
    x += 1;
    return 0;
}
