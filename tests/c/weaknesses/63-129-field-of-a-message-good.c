// check: valid-bounds
// outcomes: 0
// verdict: TRUE

// CWE-129: the number of a field comes from outside, and one too many is let through.
extern unsigned char __VERIFIER_nondet_uchar(void);

struct message {
    unsigned char fields[4];
    unsigned char is_admin;
};

int main(void) {
    struct message message = {{0}, 0};
    unsigned field = __VERIFIER_nondet_uchar();
    if (field < sizeof message.fields) message.fields[field] = 1;
    return 0;
}
