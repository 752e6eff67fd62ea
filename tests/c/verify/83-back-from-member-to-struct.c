// run: exit 0
// verdict: TRUE

// From the address of a member back to its struct: another name of the same object.
extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

struct record {
    short kind;
    int weight;
};

#define owner(member_address, type, member) \
    ((type *)((char *)(member_address) - __builtin_offsetof(type, member)))

int main(void) {
    struct record *first = malloc(sizeof *first), *second;
    first->weight = 1;
    short *inside = &first->kind;
    second = owner(inside, struct record, kind);
    if (first->weight != second->weight) reach_error();
    second->weight = 4;
    int *deeper = &second->weight;
    if (owner(deeper, struct record, weight)->weight != 4 || first->weight != 4) reach_error();
    return 0;
}
