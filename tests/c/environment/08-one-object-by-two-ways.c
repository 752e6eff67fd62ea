// outcomes: 0 invalid-memory
// verdict: FALSE

// Both pointers may be to the same object, which is not the program's.
extern void reach_error(void);
extern int *first(void);
extern int *second(void);

int main(void) {
    int *p = first(), *q = second();
    *p = 1;
    *q = 2;
    if (*p == 2) reach_error();
    return 0;
}
