// run: exit 0
// verdict: TRUE
// Every divisor is checked before: no result is left open.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (x > 0 && x < 100 && y > 0 && y < 100) {
        if (x / y > x || x % y >= y)
            reach_error();
    }
    return 0;
}
