// run: exit 0
// verdict: TRUE

// glibc lets a program replace malloc and its like for the library as well: strdup calls the program's.

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char pool[16];
static int used;

void *malloc(size_t size) {
    used++;
    return pool;
}

void free(void *block) {
    assert(block == pool);
    used--;
}

int main(void) {
    char *s = strdup("abc");
    assert(used == 1 && s == pool && pool[2] == 'c');
    free(s);
    assert(used == 0);
    return 0;
}
