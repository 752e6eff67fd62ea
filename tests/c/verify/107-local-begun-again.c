// outcomes: 0 error
// verdict: FALSE

// In the second round the struct has no value yet: its members need not be what they were.
extern void reach_error(void);

struct item {
    int key;
    int count;
};

static void touch(struct item *item) { item->count = 1; }

int main(void) {
    for (int i = 0; i < 2; i++) {
        struct item item;
        touch(&item);
        if (i == 1 && item.key != 4) reach_error();
        item.key = 4;
    }
    return 0;
}
