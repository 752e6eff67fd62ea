// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-deref

// CWE-124: an editor undoes a change that was never made.
#include <stdlib.h>

#ifndef CAN_UNDO
#define CAN_UNDO(log) 1
#endif

extern _Bool __VERIFIER_nondet_bool(void);

struct log {
    int *changes, count;
};

static void change(struct log *log) { log->changes[log->count++] = 1; }

static void undo(struct log *log) {
    if (CAN_UNDO(log)) log->changes[--log->count] = 0;
}

int main(void) {
    struct log log = {calloc(3, sizeof(int)), 0};
    void (*command)(struct log *);
    for (int i = 0; i < 3; i++) {
        command = __VERIFIER_nondet_bool() ? change : undo;
        command(&log);
    }
    free(log.changes);
    return 0;
}
