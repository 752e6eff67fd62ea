// run: unsupported
// verdict: FALSE

#include <stdarg.h>
#include <stdio.h>

extern void reach_error(void);

static void tell(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

int main(void) {
    int n = 5;
    tell("%d%%\n", n);
    tell("abc%n", &n);
    if (n == 3) reach_error();
    return 0;
}
