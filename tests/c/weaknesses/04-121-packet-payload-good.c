// check: valid-deref
// outcomes: 0 1

#define ROOM sizeof(unsigned char[8])
#include "04-121-packet-payload-bad.c"
