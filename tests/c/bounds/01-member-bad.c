// check: valid-bounds
// run: index_out_of_bounds
// verdict: FALSE

// The write stays in the struct, and lands in another member.
struct account {
    int pins[4];
    int balance;
};

int main(void) {
    struct account account = {{1, 2, 3, 4}, 100};
    int at = 4;
    account.pins[at] = 0;
    return account.balance == 0;
}
