// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-free

// CWE-415: whoever is told of the end of a session frees it, and so does who tells.
#include <stdlib.h>

#ifndef OWNER
#define OWNER 1
#endif

extern int __VERIFIER_nondet_int(void);

typedef struct session session;
struct session {
    void (*on_close)(session *);
    int user;
};

static void forget(session *s) { s->user = 0; }

static void release(session *s) { free(s); }

static void end(session *s) {
    void (*on_close)(session *) = s->on_close;
    on_close(s);
    if (OWNER) free(s);
}

int main(void) {
    session *s = malloc(sizeof *s);
    s->user = 1;
    s->on_close = __VERIFIER_nondet_int() ? forget : release;
    end(s);
    return 0;
}
