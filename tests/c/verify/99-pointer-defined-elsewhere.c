// outcomes: 0 invalid-memory
// verdict: FALSE

// Another file defines `there`, and may well do so with the address of `x`.
extern void reach_error(void);

extern int *there;
int x;
int *here = &x;

static void touch(int **place) { **place = 1; }

int main(void) {
    *here = 0;
    touch(&there);
    if (x != 0) reach_error();
    return 0;
}
