// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdlib.h>

struct packet { unsigned short length; char kind; int payload[]; };
struct old_style { int length; short data[0]; };

int main(void) {
    assert(sizeof(struct packet) == 4);
    assert(sizeof(struct old_style) == 4);
    struct packet *p = malloc(sizeof *p + 3 * sizeof(int));
    p->length = 3;
    for (int i = 0; i < p->length; i++) p->payload[i] = i + 1;
    assert(p->payload[0] + p->payload[1] + p->payload[2] == 6);
    assert((char *)p->payload - (char *)p == 4);
    free(p);
    struct old_style *o = malloc(sizeof(struct old_style) + 2 * sizeof(short));
    o->data[0] = -1;
    o->data[1] = 1;
    assert(o->data[0] + o->data[1] == 0);
    free(o);
    return 0;
}
