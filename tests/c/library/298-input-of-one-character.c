// outcomes: 0 error
// verdict: FALSE

// Without a space before it, %c takes whatever comes.

#include <assert.h>
#include <stdio.h>

int main(void) {
    char c;
    if (scanf("%c", &c) == 1) assert(c != ' ');
    return 0;
}
