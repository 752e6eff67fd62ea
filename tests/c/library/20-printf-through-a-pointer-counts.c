// run: unsupported
// verdict: FALSE

extern int dprintf(int, const char *, ...);
extern void reach_error(void);

int main(void) {
    int (*print)(int, const char *, ...) = dprintf;
    int n = 5;
    print(1, "abc%n", &n);
    if (n == 3) reach_error();
    return 0;
}
