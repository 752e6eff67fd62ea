// run: exit 3
// verdict: TRUE

// glibc's header defines error() inline over __builtin_va_arg_pack; the library's function is meant.
#include <errno.h>
#include <error.h>
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    error(0, EINVAL, "goes on after %d", 1);
    error(3, 0, "ends the program");
    reach_error();
    return 0;
}
