// outcomes: 0 error
// verdict: FALSE

// The initialiser is not evaluated: the variable has any value.
extern void reach_error(void);

int main(void) {
    goto past;
    int x = 1;
past:
    if (x != 1) reach_error();
    return 0;
}
