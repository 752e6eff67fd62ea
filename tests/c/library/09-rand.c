// run: exit 0
// verdict: TRUE

// Nothing is known of rand but its range.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    srand(7);
    for (int i = 0; i < 3; i++) {
        int r = rand();
        if (r < 0 || r > RAND_MAX) reach_error();
        int die = r % 6 + 1;
        if (die < 1 || die > 6) reach_error();
    }
    return 0;
}
