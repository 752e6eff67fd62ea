// run: exit 0
// verdict: TRUE

#include <assert.h>

static void sort(int a[], int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}

int main(void) {
    int a[] = {5, -1, 4, 4, 0};
    sort(a, sizeof a / sizeof a[0]);
    assert(a[0] == -1 && a[1] == 0 && a[2] == 4 && a[3] == 4 && a[4] == 5);
    return 0;
}
