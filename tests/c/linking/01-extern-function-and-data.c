// run: exit 0
// stdout: 15 107
// verdict: TRUE

#include <stdio.h>

extern int counter;
extern int table[];
int bump(int by);

int main(void) {
    counter += 5;
    int before = bump(0);
    printf("%d %d\n", before, table[2] + bump(85));
    return 0;
}
