// run: unsupported

#include <stdio.h>

int main(void) {
    FILE *out = stdout;
    return fileno(out) != 1;
}
