// check: valid-init
// run: exit 6
// verdict: TRUE

// Each frame has a variable of its own.
static int sum(int n) {
    int rest;
    if (n > 0) rest = sum(n - 1);
    return n > 0 ? n + rest : 0;
}

int main(void) { return sum(3); }
