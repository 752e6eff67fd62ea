// run: long
// verdict: TRUE

#define GREEN_OR GREEN
#include "16-traffic-light-forgets.c"
