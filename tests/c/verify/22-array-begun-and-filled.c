// run: exit 0
// verdict: TRUE

// As above, but every round writes what it reads.
extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 3; i++) {
        int a[2];
        int *p = a;
        p[0] = i;
        p[1] = 5;
        if (a[1] != 5 || a[0] != i) reach_error();
    }
    return 0;
}
