// run: exit 0
// stdout: 2 3 5 7 11 13 17 19 23 29
// verdict: TRUE

#include <stdio.h>
#include <string.h>

int main(void) {
    _Bool composite[30];
    memset(composite, 0, sizeof composite);
    for (int i = 2; i * i < 30; i++)
        for (int j = i * i; !composite[i] && j < 30; j += i) composite[j] = 1;
    for (int i = 2; i < 30; i++)
        if (!composite[i]) printf("%s%d", i > 2 ? " " : "", i);
    printf("\n");
    return 0;
}
