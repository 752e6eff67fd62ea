// run: error
// verdict: FALSE

// C90 takes this for a call of a function that somebody else defines.
int main(void) {
    assert(1 == 2);
    return 0;
}
