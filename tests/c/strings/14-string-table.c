// run: exit 0
// stdout: 3 two
// stdout: 5 seven
// stdout: -1 (none)
// verdict: TRUE

#include <stdio.h>
#include <string.h>

static const struct { const char *name; int value; } table[] = {
    {"one", 1}, {"two", 2}, {"seven", 7}, {NULL, 0}};

static const char *name_of(int value) {
    for (int i = 0; table[i].name; i++)
        if (table[i].value == value) return table[i].name;
    return NULL;
}

int main(void) {
    static const int wanted[] = {2, 7, 9};
    for (int i = 0; i < 3; i++) {
        const char *name = name_of(wanted[i]);
        printf("%d %s\n", name ? (int)strlen(name) : -1, name ?: "(none)");
    }
    return 0;
}
