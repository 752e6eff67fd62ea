// check: no-overflow
// run: exit 0
// verdict: TRUE

// C11 6.2.5p9: unsigned arithmetic never overflows.
int main(void) {
    unsigned u = 4294967295u;
    unsigned long long w = 0;
    u++;
    w--;
    u = -1u * 3u - 4u;
    w = w * w + u;
    w <<= 63;
    return u == 4294967289u && w != 1 ? 0 : 1;
}
