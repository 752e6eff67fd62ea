// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdlib.h>

struct ring { struct ring *prev, *next; int id; };

static struct ring *insert(struct ring *after, int id) {
    struct ring *r = malloc(sizeof *r);
    r->id = id;
    r->prev = after;
    r->next = after->next;
    after->next->prev = r;
    after->next = r;
    return r;
}

static void unlink(struct ring *r) {
    r->prev->next = r->next;
    r->next->prev = r->prev;
    free(r);
}

int main(void) {
    struct ring head = {&head, &head, 0};
    struct ring *a = insert(&head, 1);
    insert(a, 2);
    insert(a, 3);
    assert(head.prev->id == 2 && head.next->next->id == 3);
    unlink(a->next);
    assert(a->next->id == 2);
    while (head.next != &head) {
        assert(head.next->prev == &head && head.prev->next == &head);
        unlink(head.next);
    }
    assert(head.prev == &head);
    return 0;
}
