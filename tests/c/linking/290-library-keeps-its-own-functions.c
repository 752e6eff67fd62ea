// run: exit 0
// verdict: TRUE

// The program defines functions that the library's own functions are made of. glibc's do not call them: what atoi,
// strtok, strdup and snprintf mean does not depend on what the program means by strtol.

#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long strtol(const char *s, char **end, int base) { return 7; }
char *strtok_r(char *s, const char *delimiters, char **next) { return 0; }
void *memcpy(void *to, const void *from, size_t n) { return 0; }
int vsnprintf(char *s, size_t n, const char *format, va_list list) { return -1; }

int main(void) {
    char text[] = "a,b", short_text[4] = "abc";
    char *copy = strdup("xy");
    size_t (*length)(const char *) = strlen;
    assert(atoi("12") == 12 && strtol("12", 0, 10) == 7);
    assert(strtok(text, ",") == text && strtok_r(text, ",", 0) == 0);
    assert(copy[0] == 'x' && copy[2] == 0);
    assert(snprintf(short_text, 4, "%d", 12) == 2);
    assert(length == strlen && length("ab") == 2);
    return 0;
}
