// check: valid-bounds
// run: exit 2
// verdict: TRUE

// The index stands before the array, or is changed by its use.
struct three {
    int first[2];
    int rest;
};

int main(void) {
    struct three three = {{1, 2}, 3};
    int at = 0;
    at = at++ + 1 == 1 ? 0 : 0;
    three.first[at++] = 5;
    return 1[three.first] == 2 ? three.first[at] : 0;
}
