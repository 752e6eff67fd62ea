// outcomes: 0 invalid-memory
// verdict: TRUE

// Nobody outside knows where `own` is, however often they hand out pointers.
extern void reach_error(void);
extern int **find(int *place);

static int own[2];

int main(void) {
    int given = 0;
    int *mine = &own[1];
    *mine = 7;
    int **theirs = find(&given);
    *theirs = &given;
    **theirs = 5;
    if (*mine != 7) reach_error();
    return 0;
}
