// outcomes: 0
// verdict: TRUE

// A cycle with two ways in.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    if (__VERIFIER_nondet_bool()) goto middle;
begin:
    x++;
    if (x > 5) reach_error();
middle:
    if (x < 5) goto begin;
    if (x != 5) reach_error();
    return 0;
}
