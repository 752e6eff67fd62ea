// options: --data-model LP64
// outcomes: 0
// verdict: FALSE

// The address goes out as a number, and the function may make a pointer of it.
extern void reach_error(void);
extern void change(unsigned long number);

int main(void) {
    int x = 0;
    change((unsigned long)&x);
    if (x == 5) reach_error();
    return 0;
}
