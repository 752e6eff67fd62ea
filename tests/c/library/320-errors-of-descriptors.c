// run: exit 0
// verdict: TRUE

// What is no open descriptor is refused, and errno says why; nothing else sets errno.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char c;
    assert(close(-1) == -1 && errno == EBADF);
    errno = 0;
    assert(write(40, "x", 1) == -1 && errno == EBADF);
    errno = 0;
    assert(read(-5, &c, 1) == -1 && lseek(60, 0, SEEK_SET) == -1 && errno == EBADF);
    assert(fdopen(-1, "r") == 0 && errno == EBADF);
    assert(fopen("x", "?") == 0 && errno == EINVAL);
    errno = 0;
    int a = open("x", O_RDONLY);
    if (a < 0) {
        assert(errno != 0);
    } else {
        assert(a == 3 && write(a, "x", 1) == -1 && errno == EBADF);
        close(a);
        errno = 0;
        assert(close(a) == -1 && errno == EBADF);
    }
    return 0;
}
