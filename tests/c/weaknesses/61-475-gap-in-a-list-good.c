// check: valid-arguments
// outcomes: 0
// verdict: TRUE

// CWE-475: an element is inserted, and those behind it move by one place.
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct list {
    int length;
    int values[6];
};

static void insert(struct list *list, int at, int value) {
    int behind = list->length - at;
    memmove(&list->values[at + 1], &list->values[at], behind * sizeof(int));
    list->values[at] = value;
    list->length++;
}

int main(void) {
    struct list list = {4, {1, 2, 3, 4}};
    unsigned at = __VERIFIER_nondet_uchar();
    if (at <= 4) insert(&list, at, 9);
    return 0;
}
