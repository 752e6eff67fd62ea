// outcomes: 0
// verdict: FALSE

// The function reaches `x` through the struct.
extern void reach_error(void);

struct box {
    int tag;
    int *inside;
};

extern void change(struct box *box);

int main(void) {
    int x = 0;
    struct box box = {1, &x};
    change(&box);
    if (x == 5) reach_error();
    return 0;
}
