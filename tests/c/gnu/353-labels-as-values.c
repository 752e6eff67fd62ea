// run: exit 0
// verdict: TRUE

// A label's address is one constant; offsets between labels are numbers; an interpreter's loop.
static int run(const signed char *code) {
    static const int offsets[] = {&&add - &&add, &&take - &&add, &&stop - &&add};
    int value = 0;
    goto *(&&add + offsets[*code]);
add:
    value += 5;
    goto *(&&add + offsets[*++code]);
take:
    value -= 2;
    goto *(&&add + offsets[*++code]);
stop:
    return value;
}

int main(void) {
    static const signed char code[] = {0, 0, 1, 2};
    void *here = &&out;
    if (here != &&out || &&out == &&other) return 1;
    if (run(code) != 8) return 2;
    goto *here;
other:
    return 3;
out:
    return 0;
}
