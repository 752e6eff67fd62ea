// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdlib.h>

struct item { char c; int i; struct item *link; };

int main(void) {
    struct item *items = calloc(3, sizeof *items);
    for (int k = 0; k < 3; k++) assert(!items[k].c && !items[k].i && !items[k].link);
    items[2].link = items;
    items[2].link->i = 7;
    assert(items->i == 7);
    unsigned char *raw = (unsigned char *)&items[1];
    for (unsigned k = 0; k < sizeof *items; k++) assert(raw[k] == 0);
    free(items);
    return 0;
}
