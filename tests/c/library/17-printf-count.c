// run: unsupported
// verdict: FALSE

// %n writes how much was printed.
extern int printf(const char *, ...);
extern void reach_error(void);

int main(void) {
    int n = 5;
    printf("abc%n", &n);
    if (n == 3) reach_error();
    return 0;
}
