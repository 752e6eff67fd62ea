// run: exit 0
// verdict: TRUE

extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    int sum = 0, length = 0;
    for (struct node *n = head; n; n = n->next) {
        sum = sum * 10 + n->value;
        length++;
    }
    if (sum != 210 || length != 3) reach_error();
    return 0;
}
