// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0

#define LENGTH (message->length % 8)
#include "12-126-checksum-of-a-message-bad.c"
