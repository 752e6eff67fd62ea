// check: valid-deref
// outcomes: 0 valid-deref

// CWE-476: another thread closes a connection after it was seen to be open.
#include <stddef.h>
#include "../concurrency/threads.h"

#ifndef USED
#define USED connection
#endif

struct connection {
    int sent;
};

static struct connection only;
static struct connection *volatile connection = &only;

static void *close_it(void *unused) {
    connection = NULL;
    return unused;
}

static void send_all(void) {
    struct connection *seen = connection;
    if (seen != NULL) USED->sent++;
}

int main(void) {
    RUN_BESIDE(close_it, send_all());
    return 0;
}
