// outcomes: 0 invalid-memory
// verdict: FALSE

// Other files can name `shared`, and what they return may be its address.
extern void reach_error(void);
extern int *find(void);

int shared;
static int *const mine = &shared;

int main(void) {
    *mine = 0;
    int *q = find();
    *q = 5;
    if (shared == 5) reach_error();
    return 0;
}
