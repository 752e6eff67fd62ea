// check: valid-bounds
// run: exit 4
// verdict: TRUE

struct account {
    int pins[4];
    int balance;
};

int main(void) {
    struct account account = {{1, 2, 3, 4}, 100};
    int *end = &account.pins[4], sum = 0;
    for (int *pin = &account.pins[0]; pin != end; pin++) sum++;
    for (unsigned char at = 0; at < 4; at++) sum += account.pins[at];
    return sum == 14 ? 4 : 0;
}
