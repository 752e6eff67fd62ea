// check: valid-arithmetic
// outcomes: 0

#define MEAN(sum, count) (count ? sum / count : 0)
#include "26-369-mean-of-readings-bad.c"
