// outcomes: 0 1
// verdict: TRUE

// A function without body returns any value and may change what its arguments reach, nothing else.
extern int unknown_source(int *buffer);
extern void reach_error(void);

static int untouched = 3;

int main(void) {
    int buffer = 4, copy = 5;
    unknown_source(&buffer);
    if (copy != 5 || untouched != 3) reach_error();
    return buffer != 4;
}
