// run: exit 0
// stdout: 00 02 10 12 30 32
// verdict: TRUE

// break in a switch inside a loop leaves the switch; continue goes on with the loop.
#include <stdio.h>

int main(void) {
    const char *separator = "";
    for (int i = 0; i < 5; i++) {
        switch (i) {
        case 2: continue;
        case 4: goto done;
        default: break;
        }
        int j = 0;
        while (1) {
            int current = j++;
            if (current == 1) continue;
            if (current == 3) break;
            printf("%s%d%d", separator, i, current);
            separator = " ";
        }
    }
done:
    printf("\n");
    return 0;
}
