// verdict: TRUE
// run: exit 0

// libc defines its variables: no counterexample may choose them.
#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv) {
    assert(getopt(1, argv, "a") == -1 && optind == 1);
    return 0;
}
