// options: --data-model LP64
// run: exit 0
// stdout: 1 2 4 8 8 8
// stdout: 4 8 16
// stdout: 8 8 4
// verdict: TRUE

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct mixed { char c; long long l; };

int main(void) {
    printf("%d %d %d %d %d %d\n", (int)sizeof(char), (int)sizeof(short), (int)sizeof(int),
           (int)sizeof(long), (int)sizeof(long long), (int)sizeof(void *));
    printf("%d %d %d\n", (int)sizeof(float), (int)sizeof(double), (int)sizeof(struct mixed));
    printf("%d %d %d\n", (int)sizeof(size_t), (int)sizeof(intptr_t), (int)sizeof(wchar_t));
    return 0;
}
