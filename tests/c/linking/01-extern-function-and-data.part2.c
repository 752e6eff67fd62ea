int counter = 10;
int table[3] = {5, 6, 7};

int bump(int by) {
    counter += by;
    return counter;
}
