// check: valid-deref
// outcomes: 0 1 valid-deref

// CWE-121: the length in a packet is compared with what the packet has, not with where it is copied.
#include <string.h>

#ifndef ROOM
#define ROOM 12
#endif
#define HEADER 4

extern unsigned char __VERIFIER_nondet_uchar(void);

struct packet {
    unsigned char kind, flags, length, sum;
    unsigned char payload[12];
};

static int receive(const struct packet *packet, unsigned char *payload) {
    if (packet->length > sizeof packet->payload || packet->length > ROOM) return 1;
    memcpy(payload, (const unsigned char *)packet + HEADER, packet->length);
    return 0;
}

int main(void) {
    static struct packet packet;
    unsigned char payload[8];
    packet.length = __VERIFIER_nondet_uchar();
    return receive(&packet, payload);
}
