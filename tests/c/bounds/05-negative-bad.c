// check: valid-bounds
// run: index_out_of_bounds
// verdict: FALSE

struct message {
    int length;
    char text[8];
    int sum;
};

int main(void) {
    struct message message = {0, "hello", 0}, *p = &message;
    signed char at = -1;
    p->text[at] = 'x';
    return 0;
}
