// options: --data-model LP64
// outcomes: 0 invalid-memory
// verdict: FALSE

// The address goes out as a number, and may come back as a pointer.
extern void reach_error(void);
extern void keep(unsigned long number);
extern int *recall(void);

int main(void) {
    int x = 0;
    keep((unsigned long)&x ^ 1);
    int *q = recall();
    x = 0;
    *q = 5;
    if (x == 5) reach_error();
    return 0;
}
