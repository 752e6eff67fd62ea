// outcomes: 0 invalid-memory
// verdict: FALSE

// One function keeps the pointer to a member, another may return one to the next member.
extern void reach_error(void);
extern void keep(const int *place);
extern int *recall(void);

int main(void) {
    struct { int first, second; } pair = {1, 2};
    keep(&pair.first);
    int *q = recall();
    pair.second = 2;
    *q = 5;
    if (pair.second == 5) reach_error();
    return 0;
}
