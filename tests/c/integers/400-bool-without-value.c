// outcomes: 0 1
// verdict: TRUE
// A _Bool without initialisation is 0 or 1 (C11 6.2.6.1: other bytes are trap representations), in a variable, in
// memory, and where a jump passed its declaration.
extern void reach_error(void);

static int as_int(_Bool *b) { return *b ? 1 : 0; }

int main(void) {
    _Bool a;
    _Bool b;
    if ((a ? 1 : 0) != a || as_int(&b) != b) {
        reach_error();
    }
    goto past;
    {
        _Bool c;
    past:
        if (c != 0 && c != 1) {
            reach_error();
        }
    }
    return a;
}
