// check: valid-init
// outcomes: uninitialised_read
// verdict: FALSE

static int values[4];

int main(void) {
    unsigned at;
    return values[at & 3];
}
