// run: invalid-memory
// The error lies only behind a null access: neither TRUE nor FALSE.
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node last = {1, 0};
    int value = last.next->value;
    reach_error();
    return value;
}
