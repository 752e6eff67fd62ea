// outcomes: error
// verdict: FALSE

// `main` begins again through a pointer, with an array of its own.
extern void reach_error(void);

int main(void);

static int (*again)(void) = main;
static int depth;

int main(void) {
    int cell[2];
    cell[depth] = depth;
    if (depth == 0) {
        depth = 1;
        again();
        depth = 0;
        if (cell[depth] == 0) reach_error();
    } else {
        cell[0] = 1;
    }
    return 0;
}
