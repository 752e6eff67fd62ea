// run: long
// verdict: TRUE

// The program begins with a loop that it leaves only by luck, and what was so before it is so after.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static int x = 3;
static int *p = &x;

int main(void) {
    while (__VERIFIER_nondet_bool()) {}
    if (*p != 3) reach_error();
    return 0;
}
