// run: exit 0
// verdict: TRUE

// C11 6.2.4p6: an object lives from the entry into its block on, also if its declaration is jumped
// over.
int main(void) {
    int sum = 0;
    goto inside;
    {
        int x;
        int *p;
    inside:
        x = 5;
        p = &x;
        sum += *p;
    }
    switch (sum) {
        int y, z[2];
    case 1:
        return 1;
    case 5:
        y = 7;
        z[1] = y;
        sum += z[1];
        break;
    }
    goto over;
    int w[1];
over:
    w[0] = 1;
    return sum + w[0] - 13;
}
