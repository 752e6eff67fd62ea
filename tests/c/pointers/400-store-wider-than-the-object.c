// options: --data-model LP64
// run: invalid-memory
// A store that is wider than what is left of its object is undefined, and the object does not keep its value: no proof
// may say that it does.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    int one = 8;
    int two[2] = {8, 8};
    int *block = malloc(sizeof *block);
    *block = 8;
    *(long *)&one = 7;
    *(long *)&two[1] = 7;
    *(long *)block = 7;
    if (one != 8 || two[1] != 8 || *block != 8) {
        reach_error();
    }
    return 0;
}
