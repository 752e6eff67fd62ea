// options: --data-model LP64
// run: exit 0
// stdout: 1 2 4 8 8 8
// stdout: 4 8 16
// stdout: 8 8 4
// verdict: TRUE

#include "26-sizes-ilp32.c"
