// run: exit 0
// verdict: TRUE

// C11 6.3.1.8: at equal rank the unsigned type wins, narrower types promote to int first.
extern void reach_error(void);

int main(void) {
    int minus = -1;
    unsigned one = 1;
    if (minus < one) reach_error();
    if (!(minus > one)) reach_error();
    if (minus != 4294967295u) reach_error();

    short s = -1;
    unsigned short us = 1;
    if (!(s < us)) reach_error();

    signed char c = -1;
    unsigned char uc = 255;
    if (c == uc) reach_error();
    if ((unsigned char)c != uc) reach_error();

    long long ll = -1;
    if (!(ll < one)) reach_error();
    unsigned long long ull = 1;
    if (ll < ull) reach_error();
    return 0;
}
