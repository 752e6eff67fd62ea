// check: valid-init
// run: exit 1
// verdict: TRUE

#include <stdbool.h>

int main(void) {
    bool done, other;
    done = true;
    for (int i = 0; i < 2; i++) other = done;
    return other;
}
