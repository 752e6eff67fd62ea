// check: valid-arguments
// run: exit 0
// verdict: TRUE

// Each argument fits: promoted, of other signedness, or more than there are directives.
#include <stddef.h>
#include <stdio.h>

enum color { RED, GREEN };

int main(void) {
    signed char small = 1;
    short number = 2;
    unsigned u = 3;
    enum color color = GREEN;
    float f = 1;
    long double wide = 2;
    size_t size = sizeof f;
    const char *text = "text";
    void *memory = &u;
    char line[80];
    printf("%hhd %hd %d %x %c %d\n", small, number, u, 4, small, color);
    printf("%f %5.1e %Lg %%\n", f, 2.0, wide);
    printf("%zu %ld %llu %-*s|%.*s\n", size, 5L, 6ULL, 8, text, 2, text);
    printf("%p %s\n", memory, (unsigned char *)text);
    printf("%d\n", 1, 2, 3);
    sprintf(line, "%s=%d", text, number);
    snprintf(line, sizeof line, "%u", u);
    return 0;
}
