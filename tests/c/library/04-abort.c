// run: exit 134
// verdict: TRUE

// Abnormal termination is not an error call; 134 is what a shell shows for SIGABRT.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    volatile int bad = 1;
    if (bad) abort();
    reach_error();
    return 0;
}
