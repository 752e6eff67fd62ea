// check: valid-arguments
// run: exit 0
// verdict: TRUE

// Exactly the same memory: compilers make such calls of assignments, and sanitizers accept them.
#include <string.h>

struct pair {
    int first, second;
};

static void assign(struct pair *to, const struct pair *from) { memcpy(to, from, sizeof *to); }

int main(void) {
    struct pair pair = {1, 2};
    assign(&pair, &pair);
    return pair.second != 2;
}
