// run: unsupported

// gcc links this silently: what the callee finds is undefined, so that the call is not modelled.
struct pair { int a, b; };
int sum(struct pair p);
int main(void) {
    struct pair p = { 1, 2 };
    return sum(p);
}
