// check: no-overflow
// run: exit 0
// verdict: TRUE

// Addresses and their differences are no signed arithmetic of the program.
int main(void) {
    int values[8] = { 0 };
    int *first = values, *last = values + 8;
    long count = last - first;
    first++;
    first += 3;
    return count == 8 && *(last - 1) == 0 && &first[-1] == values + 3 ? 0 : 1;
}
