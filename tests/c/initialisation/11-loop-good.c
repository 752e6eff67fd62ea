// check: valid-init
// run: exit 3
// verdict: TRUE

int main(void) {
    int sum = 0, x;
    for (int i = 0; i < 3; i++) {
        if (i == 0) x = 1;
        sum += x;
    }
    return sum;
}
