// run: exit 0
// verdict: TRUE

// Objects lie at multiples of their alignment, whichever pointer one asks. The unused function makes passes number the objects
// anew.
#include <assert.h>
#include <stdint.h>

static int unused_object;
static int *unused(void) { return &unused_object; }

static char buffer[16];

struct __attribute__((packed)) message { char tag, pad[3]; uint32_t word; };

int main(void) {
    int numbers[8], one;
    _Alignas(4) struct message message;
    int *p = numbers + 1;
    uint32_t *q = &message.word;
    char *b = buffer;
    int *r = &one;
    assert((uintptr_t)p % 4 == 0);
    assert((uintptr_t)q % 4 == 0);
    assert((uintptr_t)b % 2 == 0);
    assert(((uintptr_t)r & 3) == 0);
    return 0;
}
