// run: exit 0
// stdout: 01 02 03 04 ff fe
// stdout: 1020304 -257
// verdict: TRUE

#include <stdio.h>

struct wire { unsigned char bytes[6]; };

static void put(struct wire *w, unsigned id, short delta) {
    for (int i = 0; i < 4; i++) w->bytes[i] = id >> (24 - 8 * i);
    w->bytes[4] = delta & 0xff;
    w->bytes[5] = (unsigned short)delta >> 8;
}

int main(void) {
    struct wire w;
    put(&w, 0x01020304, -257);
    printf("%02x %02x %02x %02x %02x %02x\n", w.bytes[0], w.bytes[1], w.bytes[2], w.bytes[3],
           w.bytes[4], w.bytes[5]);
    unsigned id = 0;
    for (int i = 0; i < 4; i++) id = id << 8 | w.bytes[i];
    printf("%x %d\n", id, *(short *)&w.bytes[4]);
    return 0;
}
