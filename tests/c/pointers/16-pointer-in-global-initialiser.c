// run: exit 0
// verdict: TRUE

// Address constants (C11 6.6p9), also of later objects and with offsets.
#include <assert.h>

struct node { struct node *next; int *data; int (*f)(void); };

extern struct node second;
static int numbers[5] = {1, 2, 3, 4, 5};
static int seven(void) { return 7; }

struct node first = {&second, &numbers[4], seven};
struct node second = {&first, numbers + 1, &seven};
static char *text = &"hello"[1];
static int *back = &numbers[4] - 2;
static int **indirect = &back;
static void *self = &self;

int main(void) {
    assert(first.next->next == &first);
    assert(*first.data == 5 && *second.data == 2);
    assert(first.next->f() == 7);
    assert(text[0] == 'e' && text[-1] == 'h');
    assert(**indirect == 3);
    assert(self == (void *)&self);
    return 0;
}
