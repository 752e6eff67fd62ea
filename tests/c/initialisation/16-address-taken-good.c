// check: valid-init
// run: exit 7
// verdict: TRUE

// Memory is another matter: this variable's address is taken.
static void set(int *p) { *p = 7; }

int main(void) {
    int x;
    set(&x);
    return x;
}
