// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *head, int value) {
    struct node *n = malloc(sizeof *n);
    *n = (struct node){value, head};
    return n;
}

static struct node *reverse(struct node *head) {
    struct node *done = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}

static void delete(struct node **slot, int value) {
    for (; *slot; slot = &(*slot)->next)
        if ((*slot)->value == value) {
            struct node *dead = *slot;
            *slot = dead->next;
            free(dead);
            return;
        }
}

int main(void) {
    struct node *list = NULL;
    for (int i = 1; i <= 4; i++) list = push(list, i);
    list = reverse(list);
    delete(&list, 1);
    delete(&list, 3);
    delete(&list, 9);
    assert(list->value == 2 && list->next->value == 4 && !list->next->next);
    delete(&list, 2);
    delete(&list, 4);
    assert(!list);
    return 0;
}
