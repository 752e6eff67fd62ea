// run: invalid-memory

// Room for two payload elements, three are written.
#include <stdlib.h>

struct packet { int length; int payload[]; };

int main(void) {
    struct packet *p = malloc(sizeof *p + 2 * sizeof(int));
    for (int i = 0; i <= 2; i++) p->payload[i] = i;
    free(p);
    return 0;
}
