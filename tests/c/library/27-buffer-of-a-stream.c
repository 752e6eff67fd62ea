// run: unsupported
// verdict: FALSE

// What is printed may be seen in the buffer.
#include <stdio.h>

extern void reach_error(void);
static char buffer[BUFSIZ];

int main(void) {
    setvbuf(stdout, 0, _IONBF, 0);
    setbuf(stdout, buffer);
    printf("abc");
    if (buffer[0] == 'a') reach_error();
    return 0;
}
