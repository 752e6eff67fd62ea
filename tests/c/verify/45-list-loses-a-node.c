// run: error
// verdict: FALSE

extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *head = 0, *last = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = 0;
        if (last) last->next = n;
        head = i < 2 ? n : head;
        last = n;
    }
    int length = 0;
    for (struct node *n = head; n; n = n->next) length++;
    if (length != 3) reach_error();
    return 0;
}
