// run: exit 0
// verdict: TRUE

// Case labels inside a loop body: the switch enters the loop in its middle.
#include <assert.h>

static int steps;

static void copy(char *to, const char *from, int count) {
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++; steps++;
    case 3:      *to++ = *from++; steps++;
    case 2:      *to++ = *from++; steps++;
    case 1:      *to++ = *from++; steps++;
            } while (--rounds > 0);
    }
}

int main(void) {
    char source[10] = "abcdefghi", target[10] = {0};
    copy(target, source, 7);
    assert(steps == 7);
    assert(target[6] == 'g' && target[7] == 0);
    copy(target, source, 8);
    assert(steps == 15 && target[7] == 'h' && target[8] == 0);
    return 0;
}
