// run: exit 0
// verdict: TRUE

// From the first member to the struct around it and on to the second member: the same place.
extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

struct pair {
    int a;
    int b;
};

int main(void) {
    struct pair *whole = malloc(sizeof *whole), *again;
    int *member;
    whole->b = 1;
    member = &whole->a;
    again = (struct pair *)((char *)member - __builtin_offsetof(struct pair, a));
    if (whole->b != again->b) reach_error();
    return 0;
}
