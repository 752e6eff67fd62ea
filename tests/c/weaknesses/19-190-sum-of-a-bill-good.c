// check: no-overflow
// outcomes: 0

#define SUM long long
#include "19-190-sum-of-a-bill-bad.c"
