// outcomes: 0
// verdict: TRUE

// Two pointers that swap roles but never meet: what one marked, the other cannot overwrite.
#ifndef TURN
#define TURN int
#define INPUT __VERIFIER_nondet_int
#endif

extern TURN INPUT(void);
extern void reach_error(void);

int main(void) {
    int left = 0, right = 0;
    TURN turned = INPUT();
    int *marked = turned ? &left : &right;
    int *other = !turned ? &left : &right;
    *marked = 1;
    *other = 2;
    if (left != 1 && right != 1) reach_error();
    return 0;
}
