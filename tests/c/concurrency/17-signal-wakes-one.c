// outcomes: 2 deadlock
// verdict: TRUE

// One signal for two waiters: if both already wait, one of them sleeps on (unless it wakes
// spuriously, which POSIX permits and nobody may rely on).
#define WAKE pthread_cond_signal
#include "18-broadcast-wakes-all.c"
