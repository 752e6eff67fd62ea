// outcomes: 0
// verdict: TRUE

// A variable of the environment may be set or not, to any text, but stays what it is until the program changes it.

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    char *home = getenv("HOME");
    static char mode[] = "MODE=a";
    assert(getenv("HOME") == home);
    assert(setenv("HOME", "/x", 1) == 0 && getenv("HOME")[1] == 'x');
    assert(unsetenv("HOME") == 0 && getenv("HOME") == 0);
    assert(putenv(mode) == 0 && getenv("MODE") == mode + 5);
    assert(setenv("a=b", "", 1) == -1 && errno == EINVAL);
    return 0;
}
