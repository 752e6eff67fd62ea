// run: error
// verdict: FALSE

extern void reach_error(void);
struct pair { int a, b; };
static struct pair g;

int main(void) {
    struct pair n = {1, 2};
    __atomic_store(&g, &n, 5);
    if (g.b == 2) reach_error();
    return 0;
}
