// run: exit 0
// verdict: TRUE

// A process keeps its number, and the three standard streams have theirs.
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    assert(getpid() == getpid() && getpid() > 0);
    assert(getuid() == getuid());
    assert(fileno(stdin) == 0 && fileno(stdout) == 1 && fileno(stderr) == 2);
    return 0;
}
