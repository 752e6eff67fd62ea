// run: exit 0
// verdict: TRUE

// Reversal in place by two pointers moving towards each other.
extern void reach_error(void);

int main(void) {
    int a[7] = {1, 2, 3, 4, 5, 6, 7};
    int *l = a, *r = &a[6];
    while (l < r) {
        int t = *l;
        *l++ = *r;
        *r-- = t;
    }
    if (l != r || *l != 4) reach_error();
    for (int i = 0; i < 7; i++)
        if (a[i] != 7 - i) reach_error();
    return 0;
}
