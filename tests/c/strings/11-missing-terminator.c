// run: invalid-memory

#include <string.h>

int main(void) {
    char raw[3] = {'a', 'b', 'c'};
    char *volatile p = raw;
    return (int)strlen(p);
}
