// run: unsupported

// The name is the compiler's, so that it cannot be a function of the environment; nor can its pointer lead to one.
extern int __builtin_frobnicate(int);

int main(void) {
    int (*f)(int) = __builtin_frobnicate;
    return f(1);
}
