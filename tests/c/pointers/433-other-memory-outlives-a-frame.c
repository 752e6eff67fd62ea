// run: exit 0
// verdict: TRUE

// The local of a function that is called again ends with its frame. What it points to keeps its contents.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct request {
    int *place;
    void *context;
};

struct event {
    struct request *owner;
};

static int stack[2];

static int handle(struct request *request, int depth) {
    struct event event;
    event.owner = request;
    request->context = &event;
    if (depth > 3)
        return handle(request, 3);
    return *request->place;
}

int main(void) {
    struct request request;
    request.place = &stack[1];
    handle(&request, __VERIFIER_nondet_int());
    assert(request.place == &stack[1]);
    return 0;
}
