// run: unsupported
// verdict: FALSE

extern int printf(const char *, ...);
extern void reach_error(void);
static char format[] = "abc%n";

int main(void) {
    int n = 5;
    printf(format, &n);
    if (n == 3) reach_error();
    return 0;
}
