// check: no-overflow
// outcomes: 0 signed_overflow

// CWE-191: what is left after a deduction may be less than the least number.
#ifndef IS_ALLOWED
#define IS_ALLOWED(account, amount) (amount > 0)
#endif

extern int __VERIFIER_nondet_int(void);

struct account {
    int owner, left;
};

static void deduct(struct account *account, int amount) {
    if (IS_ALLOWED(account, amount)) account->left -= amount;
}

int main(void) {
    struct account account = {7, 100};
    deduct(&account, __VERIFIER_nondet_int());
    deduct(&account, __VERIFIER_nondet_int());
    return account.owner != 7;
}
