// run: error
// verdict: FALSE

// strtok_r takes delimiters that follow each other for one, strsep gives an empty field between them.

#define _DEFAULT_SOURCE
#include <assert.h>
#include <string.h>

static int count_tokens(char *text) {
    char *next;
    int count = 0;
    for (char *token = strtok_r(text, ",", &next); token; token = strtok_r(0, ",", &next)) count++;
    return count;
}

static int count_fields(char *text) {
    int count = 0;
    while (strsep(&text, ",")) count++;
    return count;
}

int main(void) {
    char first[] = "a,,b", second[] = "a,,b";
    assert(count_tokens(first) == 2);
    assert(count_fields(second) == 2);
    return 0;
}
