// outcomes: 0
// verdict: TRUE

// What kind of number is behind the pointer, a flag says.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static int is_one(const void *number, _Bool is_float) {
    return is_float ? *(const float *)number == 1.0f : *(const int *)number == 1;
}

int main(void) {
    int i = 1;
    float f = 1.0f;
    _Bool is_float = __VERIFIER_nondet_bool();
    if (!is_one(is_float ? (void *)&f : (void *)&i, is_float)) reach_error();
    return 0;
}
