// check: valid-deref
// outcomes: 0 valid-deref

// CWE-476: a pointer is compared with null after it was followed.
#ifndef SPEED
#define SPEED(wheel) wheel->speed
#endif

extern int __VERIFIER_nondet_int(void);

struct wheel {
    int speed;
};

static int is_slow(const struct wheel *wheel, int limit) {
    int speed = SPEED(wheel);
    if (wheel == 0) return 0;
    return speed < limit;
}

static int all_slow(struct wheel *wheels[2]) {
    return is_slow(wheels[0], 3) && is_slow(wheels[1], 3);
}

int main(void) {
    struct wheel front = {2};
    struct wheel *wheels[2] = {&front, __VERIFIER_nondet_int() > 0 ? &front : 0};
    return all_slow(wheels) && wheels[1] == 0;
}
