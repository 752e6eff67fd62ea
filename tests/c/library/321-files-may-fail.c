// outcomes: 0 1 2 3
// verdict: TRUE

// Opening may fail, and so may closing.
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 0;
    FILE *file = fopen("x", "r");
    if (file == 0) {
        assert(errno > 0);
        return 1;
    }
    errno = 0;
    if (fclose(file) != 0) {
        assert(errno > 0);
        return 2;
    }
    return errno == 0 ? 0 : 3;
}
