// run: unsupported

// Nothing is left for the second conversion: 0 by C11 7.21.6.4p3, EOF in glibc.
#include <stdio.h>

int main(void) {
    int x;
    return sscanf("5", "%*d%d", &x) == 0;
}
