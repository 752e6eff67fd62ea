// check: valid-deref,valid-free
// outcomes: 0

#define EARLY
#define LATE free(job)
#include "40-416-job-of-a-thread-bad.c"
