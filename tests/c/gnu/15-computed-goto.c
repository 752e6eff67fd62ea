// run: unsupported
// verdict: TRUE

// Labels as values are accepted and make the answer unknown when the jump is reached.
int main(void) {
    static void *targets[] = {&&one, &&two};
    int x = 0;
    goto *targets[x];
one:
    x = 5;
    goto *targets[1];
two:
    return x - 5;
}
