// run: long
// verdict: TRUE

// A function without body reaches what its pointers lead to, and no constants.
extern void reach_error(void);
extern void touch(const void *anything);

static const int fixed = 5;

int main(void) {
    int number = 1, apart = 3;
    touch(&number);
    touch(&fixed);
    if (apart != 3 || fixed != 5) reach_error();
    return 0;
}
