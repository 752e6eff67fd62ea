// run: exit 0
// verdict: TRUE

// Pointers are left to variables whose blocks begin again, and nobody uses them: a proof goes through.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };
static struct node *last;

static int sum(int a, int b) {
    struct node first = {a, 0}, second = {b, &first};
    last = &second;
    return last->value + last->next->value;
}

int main(void) {
    int bound = __VERIFIER_nondet_int();
    for (int i = 0; i < bound && i < 100; i++) {
        int x = i, *p = &x;
        last = 0;
        *p += 1;
        if (x != i + 1) reach_error();
        if (sum(i, 2) != i + 2) reach_error();
    }
    return 0;
}
