// check: valid-init
// outcomes: uninitialised_read
// verdict: FALSE

// Nothing but the update reads the variable.
int main(void) {
    int count;
    count++;
    return 0;
}
