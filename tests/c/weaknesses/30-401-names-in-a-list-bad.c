// check: valid-deref,valid-free,valid-memtrack
// run: valid-memtrack

// CWE-401: the entries of a list are freed without the names that only they know.
#include <stdlib.h>

#ifndef DROP
#define DROP(name)
#endif

struct entry {
    char *name;
    struct entry *next;
};

static struct entry *entry(char initial, struct entry *next) {
    struct entry *made = malloc(sizeof *made);
    made->name = malloc(2);
    made->name[0] = initial;
    made->name[1] = 0;
    made->next = next;
    return made;
}

int main(void) {
    struct entry *list = entry('b', entry('a', NULL));
    for (struct entry *rest; list; list = rest) {
        rest = list->next;
        DROP(list->name);
        free(list);
    }
    return 0;
}
