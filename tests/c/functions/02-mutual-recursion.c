// run: exit 0
// verdict: TRUE

extern void reach_error(void);

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int male(int n);
static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }

int main(void) {
    if (!is_even(20) || is_odd(20) || !is_odd(13)) reach_error();
    if (female(8) != 5 || male(8) != 5 || male(5) != 3) reach_error();
    return 0;
}
