// outcomes: 0 error
// verdict: FALSE

// The struct with the function comes back from a copy, and the function takes its address.
extern _Bool __VERIFIER_nondet_bool(void);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern void reach_error(void);

struct task {
    int state;
    void (*run)(struct task *);
};

static void finish(struct task *t) { t->state = 2; }
static void begin(struct task *t) {
    t->state = 1;
    t->run = __VERIFIER_nondet_bool() ? begin : finish;
}

int main(void) {
    struct task t = {0, begin}, copy;
    for (int i = 0; i < 3; i++) {
        memcpy(&copy, &t, sizeof t);
        copy.run(&t);
    }
    if (t.state == 2 && t.run == finish) reach_error();
    return 0;
}
