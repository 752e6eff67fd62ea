// outcomes: 0
// verdict: FALSE

// What `make` returns may lead to `chosen`, and `use` writes through it.
extern void reach_error(void);
extern int **make(void);
extern void use(void *);

struct handle {
    int **target;
};

static int a;
static int *chosen = &a;

int main(void) {
    struct handle handle;
    int **own = &chosen;
    handle.target = make();
    use(&handle);
    if (*own != &a)
        reach_error();
    return 0;
}
