// check: valid-bounds
// run: index_out_of_bounds
// verdict: FALSE

// The last member of each element, but a member follows in the next element.
struct name {
    int length;
    char letters[4];
};

struct list {
    struct name names[2];
    int count;
};

int main(void) {
    struct list list = {{{0}}}, *p = &list;
    int at = 2;
    p->names[at].length = 1;
    return list.count;
}
