// check: valid-init
// outcomes: uninitialised_read
// verdict: FALSE

// The jump passes the initialiser.
int main(void) {
    goto inside;
    {
        int x = 1;
    inside:
        return x;
    }
}
