// check: no-overflow
// outcomes: 0

#define NEXT(ticket) (ticket == LAST ? 1 : ticket + 1)
#include "21-190-tickets-bad.c"
