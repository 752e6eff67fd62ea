// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *v = NULL, count = 0, room = 0;
    for (int i = 0; i < 10; i++) {
        if (count == room) {
            room = room ? 2 * room : 1;
            v = realloc(v, room * sizeof *v);
        }
        v[count++] = 3 * i;
    }
    assert(room == 16 && v[0] == 0 && v[9] == 27);
    v = realloc(v, 2 * sizeof *v);
    assert(v[1] == 3);
    free(v);
    return 0;
}
