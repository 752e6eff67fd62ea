// run: error
// verdict: FALSE

// The inner loop stops one pair early, so the largest value never reaches the end.
#include <assert.h>

int main(void) {
    int a[4] = {4, 3, 2, 1};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j + 2 < 4; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    for (int i = 0; i < 3; i++) assert(a[i] <= a[i + 1]);
    return 0;
}
