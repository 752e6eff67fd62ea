// outcomes: 0 1
// verdict: TRUE

// Whatever is read: a field has no more characters than its width, what a space skips is no space, and after a
// number comes no digit.

#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 0;
    char c = 0, d = 0;
    if (scanf("%2d%*c %c", &number, &c) != 2) return 1;
    assert(number >= -9 && number <= 99 && c != ' ' && c != '\n');
    if (scanf("%d%c", &number, &d) == 2) assert(d < '0' || d > '9');
    return 0;
}
