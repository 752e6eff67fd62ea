// outcomes: 0 invalid-memory
// verdict: FALSE

// The function may have written the pointer that it got to its own memory, from where it is copied.
#include <string.h>

extern void reach_error(void);

struct note {
    long number;
    int *place;
};

extern struct note *write_down(int *place);

int main(void) {
    int x = 0;
    struct note *theirs = write_down(&x), mine = {0, 0};
    memcpy(&mine, theirs, sizeof mine);
    x = 0;
    *mine.place = 5;
    if (x == 5) reach_error();
    return 0;
}
