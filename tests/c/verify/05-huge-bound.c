// run: long
// verdict: TRUE

// Nobody should count to four billion: that i stays at or below the bound is enough.
extern void reach_error(void);

int main(void) {
    unsigned i = 0;
    while (i < 4000000000u) i++;
    if (i != 4000000000u) reach_error();
    return 0;
}
