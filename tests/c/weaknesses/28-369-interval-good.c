// check: valid-arithmetic
// outcomes: 0

#define ENTER pthread_mutex_lock(&lock)
#define LEAVE pthread_mutex_unlock(&lock)
#include "28-369-interval-bad.c"
