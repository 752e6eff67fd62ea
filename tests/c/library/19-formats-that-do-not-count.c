// run: exit 0
// stdout: 5% n 7
// verdict: TRUE

// Formats without %n only read, also where they are passed on and where printf is a pointer.
#include <stdarg.h>
#include <stdio.h>

extern void reach_error(void);

static void tell(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
}

int main(void) {
    int n = 5;
    const char *format = "%s";
    printf("%d%% n %ld\n", n, 7l);
    fprintf(stderr, format, "text");
    tell("%d%% %5.2f n %p\n", n, 1.5, (void *)&n);
    if (n != 5) reach_error();
    return 0;
}
