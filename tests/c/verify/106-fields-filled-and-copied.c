// outcomes: 0 error
// verdict: FALSE

// Members have memories of their own, but filling and copying the struct changes all of them.
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(__SIZE_TYPE__);
extern void *memset(void *, int, __SIZE_TYPE__);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern void reach_error(void);

struct item {
    int key;
    struct item *next;
    char tag[4];
};

int main(void) {
    struct item *one = malloc(sizeof *one), *two = malloc(sizeof *two);
    one->key = 3;
    one->next = two;
    one->tag[2] = 'x';
    memset(two, 0, sizeof *two);
    if (two->key != 0 || two->next != 0 || two->tag[3] != 0) return 0;
    if (__VERIFIER_nondet_bool()) memcpy(two, one, sizeof *two);
    if (two->key == 3 && two->next == two && two->tag[2] == 'x') reach_error();
    return 0;
}
