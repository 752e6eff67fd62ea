// run: exit 0
// verdict: TRUE

// Labels as values: a jump through a table is a choice among the labels whose addresses are taken.
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
