// run: long
// verdict: TRUE

// An even number steps over an odd bound for ever.
extern void reach_error(void);

int main(void) {
    unsigned i = 0;
    while (i != 4000000001u) i += 2;
    reach_error();
    return 0;
}
